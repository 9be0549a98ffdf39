import { currencyDecimals, minorPerMajor } from '@arboleda/contracts/money.ts';
import type { Language } from './languages.ts';

/** Which sign stands before decimals; the other one separates thousands. */
const DECIMAL_SIGN: Record<Language, '.' | ','> = { en: '.', es: ',' };

const GROUPS = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/;

/** Without spaces, with ASCII digits and one kind of minus; an apostrophe can only separate thousands. */
const plain = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\s'’]/gu, '')
    .replace(/[−–‐‑]/gu, '-');

/**
 * A count as people write or copy it: "2000", "2.000", "2,000". Nobody writes three decimals of a count.
 * @returns a whole number, decimals cut off; undefined when the text is no number
 */
export function readCount(typed: string): number | undefined {
  const text = plain(typed);
  const digits = GROUPS.test(text) ? text.replace(/[.,]/g, '') : text;
  const count = /^(-?\d+)(?:[.,]\d*)?$/.exec(digits)?.[1];
  const value = Number(count ?? /^\s*(-?\d+)(?![\d.,])/.exec(typed)?.[1]);
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * An amount of money in minor units: "288050", "288,050.00", "288.050,00", with or without its currency in front.
 * @param language of the page. "1.005" in English may be one and a bit, or a thousand written the Colombian way: that
 *   is ambiguous. Without a language three digits after the only sign are thousands.
 * @returns undefined when the text is no amount of this currency
 */
export function readAmount(
  typed: string,
  currency: string,
  language?: Language,
): number | 'ambiguous' | undefined {
  const text = plain(typed).replace(/^(?:[A-Z]{3})?\$?/i, '');
  const decimals = currencyDecimals(currency);
  const groups = GROUPS.exec(text);
  if (groups) {
    const isOnly = text.indexOf(groups[1]!) === text.lastIndexOf(groups[1]!);
    const mayBeDecimal = isOnly && decimals > 0 && language && groups[1] === DECIMAL_SIGN[language];
    return mayBeDecimal ? 'ambiguous' : safe(Number(text.replace(/[.,]/g, '')) * minorPerMajor(currency));
  }
  const parts = /^(\d+|\d{1,3}(?:[.,]\d{3})+)(?:([.,])(\d+))?$/.exec(text);
  if (!parts) return undefined;
  const [, whole = '', sign, fraction = ''] = parts;
  const thousands = /[.,]/.exec(whole)?.[0];
  if (thousands && (thousands === sign || !GROUPS.test(whole))) return undefined;
  if (decimals === 0) return Number(fraction) === 0 ? safe(Number(whole.replace(/[.,]/g, ''))) : undefined;
  // As decimal digits, since 1.0050 × 100 is not 100.5 in binary.
  return safe(Math.round(Number(`${whole.replace(/[.,]/g, '')}.${fraction || '0'}e2`)));
}

const safe = (value: number): number | undefined => (Number.isSafeInteger(value) ? value : undefined);

/**
 * One half of a place in degrees: "4.637214", "-75,487031", "75.487031° W". Both signs are decimal: no place has
 * thousands of degrees.
 * @returns undefined when the text is no number; the range is not checked
 */
export function readDegrees(typed: string): number | undefined {
  const parts = /^(-?)(\d+(?:[.,]\d+)?)°?([NSEWO]?)$/i.exec(plain(typed));
  if (!parts) return undefined;
  const [, minus, number = '', side = ''] = parts;
  const degrees = Number(number.replace(',', '.'));
  return minus || /[SWO]/i.test(side) ? -degrees : degrees;
}

/** "4.637214, -75.487031" as a map copies it into one field; undefined when it is no pair. */
export function readPair(typed: string): { latitude: string; longitude: string } | undefined {
  const half = String.raw`[-−]?\d+\.\d+°?\s?[NSEWO]?`;
  const parts = new RegExp(`^\\s*(${half})\\s*[,;\\s]\\s*(${half})\\s*$`, 'i').exec(typed);
  return parts ? { latitude: parts[1]!, longitude: parts[2]! } : undefined;
}
