/** Card numbers as people type them. */

const FOURS = [4, 4, 4, 4];
const BRANDS = [
  { name: 'amex', pattern: /^3[47]/, digits: 15, groups: [4, 6, 5], cvcLength: 4 },
  {
    name: 'mastercard',
    pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    digits: 16,
    groups: FOURS,
    cvcLength: 3,
  },
  { name: 'visa', pattern: /^4/, digits: 16, groups: FOURS, cvcLength: 3 },
];
const UNKNOWN = { name: 'unknown', digits: 16, groups: FOURS, cvcLength: 3 };

export const digitsOf = (text) => text.replace(/\D/g, '');

export const brandOf = (digits) => BRANDS.find((brand) => brand.pattern.test(digits)) ?? UNKNOWN;

/** The check digit of ISO/IEC 7812. */
export function passesLuhn(digits) {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** "4242424242424242" → "4242 4242 4242 4242", by the brand's own grouping. */
export function groupNumber(text) {
  const digits = digitsOf(text);
  let from = 0;
  return brandOf(digits)
    .groups.map((size) => digits.slice(from, (from += size)))
    .filter(Boolean)
    .join(' ');
}

/** "1", "12", "123", "4" → "1", "12 / ", "12 / 3", "04 / ": adds the slash once the month is known. */
export function formatExpiry(text, deleting = false) {
  let digits = digitsOf(text);
  if (/^[2-9]/.test(digits)) digits = '0' + digits;
  // "12 / 2034", pasted or autofilled: the century is dropped.
  if (digits.length === 6 && digits.slice(2, 4) === '20') digits = digits.slice(0, 2) + digits.slice(4);
  digits = digits.slice(0, 4);
  if (digits.length > 2) return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
  return digits.length === 2 && !deleting ? `${digits} / ` : digits;
}

/** Position of the caret after formatting: behind as many digits as before. */
export function caretAfter(formatted, digitsBefore) {
  if (digitsBefore === 0) return 0;
  let seen = 0;
  for (let index = 0; index < formatted.length; index++) {
    if (/\d/.test(formatted[index])) seen++;
    if (seen === digitsBefore) {
      const gap = /^\D*/.exec(formatted.slice(index + 1))[0];
      return index + 1 + (index + 1 + gap.length === formatted.length ? gap.length : 0);
    }
  }
  return formatted.length;
}

/**
 * Problems of a card as Stripe.js codes, by field.
 * @param {{ number: string, expiry: string, cvc: string, country: string }} values as typed
 * @param {Date} now
 */
export function problemsOf({ number, expiry, cvc, country }, now) {
  const problems = {};
  const digits = digitsOf(number);
  const brand = brandOf(digits);
  if (digits.length < brand.digits) problems.number = 'incomplete_number';
  else if (!passesLuhn(digits)) problems.number = 'invalid_number';
  const date = expiryProblem(digitsOf(expiry), now);
  if (date) problems.expiry = date;
  if (digitsOf(cvc).length !== brand.cvcLength) problems.cvc = 'incomplete_cvc';
  if (!country) problems.country = 'incomplete_country';
  return problems;
}

function expiryProblem(digits, now) {
  if (digits.length >= 2 && !(Number(digits.slice(0, 2)) >= 1 && Number(digits.slice(0, 2)) <= 12)) {
    return 'invalid_expiry_month';
  }
  if (digits.length !== 4) return 'incomplete_expiry';
  const month = Number(digits.slice(0, 2));
  const year = 2000 + Number(digits.slice(2));
  const months = year * 12 + month - (now.getFullYear() * 12 + now.getMonth() + 1);
  if (year < now.getFullYear()) return 'invalid_expiry_year_past';
  if (months < 0) return 'invalid_expiry_month_past';
  if (months > 50 * 12) return 'invalid_expiry_year';
  return undefined;
}
