import { currencyDecimals, minorPerMajor } from '@arboleda/contracts/money.ts';
import type { Language } from './languages.ts';

/** Decimal sign; the other sign separates thousands. */
const DECIMAL_SIGN: Record<Language, '.' | ','> = { en: '.', es: ',' };

const GROUPS = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/;

/** Digits of full-width keyboards. NFKC would also turn "10²" into 102. */
const FULL_WIDTH = /[！-～]/g;

/**
 * Normalizes digits, minus signs and spaces. Inside a number a space or an apostrophe can only separate thousands, so
 * "1 2" keeps its space and is no number.
 */
const plain = (typed: string): string =>
  typed
    .replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[−–‐‑]/gu, '-')
    .replace(/(?<![\d.,])\d{1,3}(?:[\s'’]\d{3})+(?!\d)/gu, (number) => number.replace(/\D/g, ''))
    .replace(/(?<!\d)\s+|\s+(?!\d)/gu, '');

/**
 * Parses a count as people type or copy it: "2000", "2.000", "2,000", "007". A separator before three digits is for
 * thousands.
 * @returns undefined for everything else, such as "2e3" or "10.5": a count is never rounded or cut off
 */
export function readCount(typed: string): number | undefined {
  const text = plain(typed);
  const digits = GROUPS.test(text) ? text.replace(/[.,]/g, '') : text;
  const count = /^(-?\d+)(?:[.,]0{1,2})?$/.exec(digits)?.[1];
  return count === undefined ? undefined : safe(Number(count));
}

/**
 * Parses an amount to minor units: "288050", "288,050.00", "288.050,00", optionally with the currency in front.
 * @param language of the page, because English "1.005" is ambiguous. Without it three digits after a single separator
 * are thousands.
 * @returns undefined when invalid in this currency
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
  // Shifts decimal digits, because 1.0050 × 100 is not exact in binary.
  return safe(Math.round(Number(`${whole.replace(/[.,]/g, '')}.${fraction || '0'}e2`)));
}

const safe = (value: number): number | undefined => (Number.isSafeInteger(value) ? value : undefined);

/**
 * Parses a coordinate: "4.637214", "-75,487031", "75.487031° W". Both separators are decimal.
 * @returns undefined when no number; the range is not checked
 */
export function readDegrees(typed: string): number | undefined {
  const parts = /^(-?)(\d+(?:[.,]\d+)?)°?([NSEWO]?)$/i.exec(plain(typed));
  if (!parts) return undefined;
  const [, minus, number = '', side = ''] = parts;
  const degrees = Number(number.replace(',', '.'));
  return minus || /[SWO]/i.test(side) ? -degrees : degrees;
}

/** Parses "4.637214, -75.487031" as copied from a map; undefined when no pair. */
export function readPair(typed: string): { latitude: string; longitude: string } | undefined {
  const half = String.raw`[-−]?\d+\.\d+°?\s?[NSEWO]?`;
  const parts = new RegExp(`^\\s*(${half})\\s*[,;\\s]\\s*(${half})\\s*$`, 'i').exec(typed);
  return parts ? { latitude: parts[1]!, longitude: parts[2]! } : undefined;
}
