/**
 * Money is an integer in minor units: hundredths, except currencies without decimals (product spec section 9).
 * Only the border to Stripe counts differently, see toStripeAmount.
 */
const WITHOUT_DECIMALS = new Set(['JPY', 'KRW']);

/** https://docs.stripe.com/currencies#zero-decimal : Stripe takes whole units of these. */
const STRIPE_ZERO_DECIMAL = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

export const currencyDecimals = (currency: string): 0 | 2 => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);

/** Minor units in one major unit: 100, or 1. */
export const minorPerMajor = (currency: string): 1 | 100 => (WITHOUT_DECIMALS.has(currency) ? 1 : 100);

/** What is to be handed to Stripe for an amount of ours. @throws RangeError when Stripe could not charge it exactly. */
export function toStripeAmount(amountMinor: number, currency: string): number {
  if (!STRIPE_ZERO_DECIMAL.has(currency) || WITHOUT_DECIMALS.has(currency)) return amountMinor;
  if (amountMinor % 100 !== 0) throw new RangeError(`${currency} has no cents at Stripe: ${amountMinor}`);
  return amountMinor / 100;
}

/** The inverse of toStripeAmount. */
export const fromStripeAmount = (stripeAmount: number, currency: string): number =>
  STRIPE_ZERO_DECIMAL.has(currency) && !WITHOUT_DECIMALS.has(currency) ? stripeAmount * 100 : stripeAmount;

/** Digits of the largest amount in a currency's smallest unit; 8 for every other. */
const CARD_DIGITS: Partial<Record<string, number>> = { IDR: 12, LBP: 12, COP: 10, HUF: 10, JPY: 10, INR: 9 };

/**
 * The most that one card payment can take, in minor units.
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
export const maxCardAmount = (currency: string): number =>
  fromStripeAmount(10 ** (CARD_DIGITS[currency] ?? 8) - 1, currency);

/**
 * US cents at a rate (units of `currency` for one dollar), as minor units that Stripe can charge exactly:
 * whole units where Stripe knows no cents.
 */
export function localise(usdCents: number, rate: number, currency: string): number {
  const major = (usdCents * rate) / 100;
  const exact = (decimals: number) => Number(Math.round(Number(`${major.toFixed(8)}e${decimals}`)));
  if (WITHOUT_DECIMALS.has(currency)) return exact(0);
  return STRIPE_ZERO_DECIMAL.has(currency) ? exact(0) * 100 : exact(2);
}

/** "COP 82,300.00", "COP 82.300,00": the code first and kept beside the number, the rest by the locale's own rules. */
export function formatMoney(amountMinor: number, currency: string, locale: string): string {
  return numberFormat(locale, currency, { style: 'currency', currency, currencyDisplay: 'code' })
    .formatToParts(amountMinor / minorPerMajor(currency))
    .map((part) => part.value)
    .join('')
    .replace(
      /^([\d.,\s-]+?)\s*([A-Z]{3})$/u,
      (_all, number: string, code: string) => `${code}\u00a0${number}`,
    );
}

/** Money before its amount, with the symbol people know: "$5.00", "R$27,50". */
export function formatWithSymbol(amountMinor: number, currency: string, locale: string): string {
  const number = numberFormat(locale, currency).format(amountMinor / minorPerMajor(currency));
  return `${currencySymbol(currency)}${number}`;
}

/** Making one takes longer than all that is formatted with it in a request. */
const formats = new Map<string, Intl.NumberFormat>();
/** Locales are chosen by visitors: there is no end of them. */
const MOST_FORMATS = 200;

function numberFormat(
  locale: string,
  currency: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const key = `${locale} ${currency} ${options.style}`;
  const made = formats.get(key);
  if (made) return made;
  if (formats.size >= MOST_FORMATS) formats.clear();
  const digits = currencyDecimals(currency);
  const format = new Intl.NumberFormat(regional(locale), {
    ...options,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, format);
  return format;
}

/** Our Spanish is Colombia's; a language alone would follow Spain's separators. */
const regional = (locale: string): string => (locale === 'es' ? 'es-CO' : locale === 'en' ? 'en-US' : locale);

/** Product spec section 9: a table of about 25 symbols. */
const SYMBOLS: Record<string, string> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  CAD: 'C$',
  AUD: 'A$',
  NZD: 'NZ$',
  COP: '$',
  MXN: '$',
  BRL: 'R$',
  ARS: '$',
  CLP: '$',
  PEN: 'S/',
  UYU: '$U',
  PYG: '₲',
  BOB: 'Bs',
  VES: 'Bs.',
  CRC: '₡',
  GTQ: 'Q',
  DOP: 'RD$',
  JPY: '¥',
  KRW: '₩',
  CNY: '¥',
  INR: '₹',
  CHF: 'CHF ',
  SEK: 'kr ',
  NOK: 'kr ',
  DKK: 'kr ',
};

export const currencySymbol = (currency: string): string => SYMBOLS[currency] ?? `${currency} `;
