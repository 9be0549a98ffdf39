import { currencyDecimals } from '@arboleda/contracts/money.ts';
import { currencyOf } from './currencies.ts';

export type Decimal = ',' | '.';

interface Written {
  /** "1.234,50": no blanks, no sign. */
  digits: string;
  isNegative: boolean;
  /** The words and signs beside the number: "US$". Empty when there is none. */
  currency: string;
}

const NUMBER = /^(\D*?)(\d[\d.,'’ ]*|[.,]\d+)(\D*)$/;
/** Blanks and apostrophes stand between thousands only. */
const GROUPED = /^\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d*)?$/;
/** Haben and Soll are German for credit and debit. */
const DIRECTION = /(CR|DB|DR|C|D|H|S)$/;

/**
 * An amount's digits, sign and currency. Two signs, such as "--21.78" or "-(5)", and a sign that contradicts "CR" are no
 * amount: nobody knows what they mean.
 * @returns undefined for any other text, such as a formula
 */
function writtenIn(text: string): Written | undefined {
  if (!/\d/.test(text)) return undefined;
  const plain = /^[\x20-\x7e]*$/.test(text)
    ? text
    : text
        .normalize('NFKC')
        .replace(/\s/g, ' ')
        .replace(/[−–—‐‑]/g, '-');
  const found = NUMBER.exec(plain.trim());
  if (!found) return undefined;
  const [, before, number, after] = found as unknown as [string, string, string, string];
  const bare = number.trim();
  if (before === '' && after === '' && !/[ '’]/.test(bare))
    return { digits: bare, isNegative: false, currency: '' };
  if (/[ '’]/.test(bare) && !GROUPED.test(bare)) return undefined;
  const [prefix, suffix] = [before, after].map((part) => part.replace(/ /g, '').toUpperCase()) as [
    string,
    string,
  ];
  const opened = prefix.split('(').length - 1;
  if (opened !== suffix.split(')').length - 1 || opened > 1 || /\)/.test(prefix) || /\(/.test(suffix))
    return undefined;
  const signs = (prefix + suffix).replace(/[^+-]/g, '');
  if (signs.length + opened > 1) return undefined;
  const [left, right] = [prefix, suffix].map((part) => part.replace(/[()+-]/g, '')) as [string, string];
  const direction = isCurrency(right) ? undefined : DIRECTION.exec(right)?.[1];
  const currencies = [left, direction ? right.slice(0, -direction.length) : right].filter(Boolean);
  if (!currencies.every(isCurrency)) return undefined;
  const isOut = direction === undefined ? undefined : /^[DS]/.test(direction);
  const isMinus = opened === 1 || signs === '-';
  if ((isMinus && isOut === false) || (signs === '+' && isOut)) return undefined;
  const named = currencies.filter((one) => one !== '$');
  if (named.length > 1 && named[0] !== named[1]) return undefined;
  return {
    digits: bare.replace(/[ '’]/g, ''),
    isNegative: isMinus || isOut === true,
    currency: named[0] ?? '',
  };
}

const isCurrency = (text: string): boolean => text === '' || currencyOf(text, '') !== undefined;

/** How one number separates its thousands and decimals. */
function shapeOf(digits: string) {
  const separators = digits.replace(/\d/g, '');
  const last = separators.at(-1) as Decimal | undefined;
  if (last === undefined) return undefined;
  const other: Decimal = last === ',' ? '.' : ',';
  const decimals = digits.length - digits.lastIndexOf(last) - 1;
  if (new Set(separators).size === 2)
    return { decimal: last, thousandths: decimals === 3 ? last : undefined, isOpen: false };
  if (separators.length > 1) return { decimal: other, thousandths: undefined, isOpen: false };
  if (decimals !== 3) return { decimal: last, thousandths: undefined, isOpen: false };
  // Money has no thousandths: 288.050 is a whole number, 0.500 and 2880.500 are not.
  const isOpen = /^[1-9]\d{0,2}[.,]/.test(digits);
  return { decimal: isOpen ? other : last, thousandths: last, isOpen };
}

/**
 * The decimal separator of all amounts of a file together. `thousandths`: all have three decimals, which money has not;
 * `mixed`: 1.234,56 and 1,234.56.
 */
export function decimalStyle(amounts: readonly string[]): Decimal | 'mixed' | 'thousandths' | undefined {
  const digits = amounts.map((text) => writtenIn(text)?.digits ?? '');
  const shapes = digits.map(shapeOf).filter((one) => one !== undefined);
  const [first] = shapes;
  if (!first) return undefined;
  const isThousandths =
    shapes.some(({ isOpen, thousandths }) => thousandths && !isOpen) &&
    shapes.every(({ thousandths }) => thousandths && thousandths === first.thousandths);
  if (
    isThousandths &&
    (shapes.some(({ isOpen }) => isOpen) || digits.some((one) => /[.,]\d\d[1-9]$/.test(one)))
  )
    return 'thousandths';
  return shapes.every(({ decimal }) => decimal === first.decimal) ? first.decimal : 'mixed';
}

const WHOLE = { ',': /^(\d{1,3}(\.\d{3})+|\d*)(,\d*)?$/, '.': /^(\d{1,3}(,\d{3})+|\d*)(\.\d*)?$/ };

/** @returns minor units; undefined when the text is no exact amount of the currency */
export function amountOf(text: string, decimal: Decimal, currency: string): number | undefined {
  const written = writtenIn(text);
  if (!written || !WHOLE[decimal].test(written.digits)) return undefined;
  const [whole = '', fraction = ''] = written.digits
    .replaceAll(decimal === ',' ? '.' : ',', '')
    .replace(decimal, '.')
    .split('.');
  const decimals = currencyDecimals(currency);
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined;
  const minor = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!Number.isSafeInteger(minor)) return undefined;
  return written.isNegative && minor !== 0 ? -minor : minor;
}

/** The currency written beside an amount. @returns undefined when there is none, or a bare "$" */
export function currencyIn(text: string, own: string): string | undefined {
  const currency = writtenIn(text)?.currency;
  return currency ? currencyOf(currency, own) : undefined;
}

export const isAmount = (text: string): boolean => writtenIn(text) !== undefined;

/** An amount that is no count, year or number of a document: "1.234", "5,00", "$ 5". */
export const isMoney = (text: string): boolean => isAmount(text) && /\d[.,]\d|[$€£]/.test(text);

/** The part after a comma that stood between thousands or decimals: "050.00", "00". */
export const isTornOff = (text: string): boolean => /^0\d{1,2}(?:\D|$)/.test(text.trim());
