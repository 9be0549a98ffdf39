import { currencyDecimals } from '@arboleda/contracts/money.ts';
import type { DayOrder } from '@arboleda/contracts/statement.ts';

/** Digits, separators and sign of an amount; undefined for other text, such as a formula. */
function partsOf(text: string): { digits: string; isNegative: boolean } | undefined {
  const bare = text
    .normalize('NFKC')
    .replace(/[\s'’]/g, '')
    .replace(/[−–]/g, '-')
    .toUpperCase();
  const found =
    /^(\()?([+-])?(?:[A-Z]{3}|US)?[$€£]?([+-])?(\d[\d.,]*|[.,]\d+)(?:[A-Z]{3})?[$€£]?([+-])?(\))?(CR|DB|DR)?$/.exec(
      bare,
    );
  if (!found || (found[1] === undefined) !== (found[6] === undefined)) return undefined;
  const isNegative =
    found[1] !== undefined || [found[2], found[3], found[5]].includes('-') || /^D/.test(found[7] ?? '');
  return { digits: found[4]!, isNegative };
}

/** The decimal separator that one number shows; undefined when it has none. */
function decimalOf(digits: string): ',' | '.' | undefined {
  const signs = digits.replace(/\d/g, '');
  if (signs === '') return undefined;
  const last = signs.at(-1) as ',' | '.';
  const other = last === ',' ? '.' : ',';
  if (new Set(signs).size === 2) return last;
  if (signs.length > 1) return other;
  const [whole = '', fraction = ''] = digits.split(last);
  // Money has no thousandths: 288.050 is a whole number, 0.500 and 2880.500 are not.
  return fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? other : last;
}

/** The decimal separator of all amounts of a file together. */
export function decimalStyle(amounts: readonly string[]): ',' | '.' | 'mixed' | undefined {
  const found = new Set(
    amounts.map((text) => decimalOf(partsOf(text)?.digits ?? '')).filter((one) => one !== undefined),
  );
  return found.size > 1 ? 'mixed' : [...found][0];
}

const WHOLE = { ',': /^(\d{1,3}(\.\d{3})+|\d*)(,\d*)?$/, '.': /^(\d{1,3}(,\d{3})+|\d*)(\.\d*)?$/ };

/** @returns minor units; undefined when the text is no exact amount of the currency */
export function amountOf(text: string, decimal: ',' | '.', currency: string): number | undefined {
  const parts = partsOf(text);
  if (!parts || !WHOLE[decimal].test(parts.digits)) return undefined;
  const [whole = '', fraction = ''] = parts.digits
    .replaceAll(decimal === ',' ? '.' : ',', '')
    .replace(decimal, '.')
    .split('.');
  const decimals = currencyDecimals(currency);
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined;
  const minor = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (!Number.isSafeInteger(minor)) return undefined;
  return parts.isNegative && minor !== 0 ? -minor : minor;
}

const MONTHS: readonly (readonly string[])[] = [
  ['ene', 'jan'],
  ['feb'],
  ['mar'],
  ['abr', 'apr'],
  ['may'],
  ['jun'],
  ['jul'],
  ['ago', 'aug'],
  ['sep', 'set'],
  ['oct'],
  ['nov'],
  ['dic', 'dec'],
];
const monthNamed = (word: string): number =>
  MONTHS.findIndex((names) => names.some((name) => word.startsWith(name))) + 1;

/** Numbers of a day as they are written, and their order where the text tells it. */
function numbersOf(text: string): { numbers: [number, number, number]; order?: DayOrder } | undefined {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/[t ]\d{1,2}:\d{2}.*$/, '');
  const year = (digits: string) => (digits.length === 2 ? 2000 + Number(digits) : Number(digits));
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(bare) ?? /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(bare);
  if (iso) return { numbers: [Number(iso[1]), Number(iso[2]), Number(iso[3])], order: 'ymd' };
  const short = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(bare);
  if (short) {
    const [one, two] = [Number(short[1]), Number(short[2])];
    const order = one > 12 ? 'dmy' : two > 12 ? 'mdy' : undefined;
    return { numbers: [one, two, year(short[3]!)], ...(order && { order }) };
  }
  const named = /^(\d{1,2})[-/. ]*(?:de )?(\p{L}{3,})\.?[-/ ,]*(?:del? )?(\d{4}|\d{2})$/u.exec(bare);
  if (named && monthNamed(named[2]!))
    return { numbers: [year(named[3]!), monthNamed(named[2]!), Number(named[1])], order: 'ymd' };
  const english = /^(\p{L}{3,})\.? (\d{1,2}),? (\d{4})$/u.exec(bare);
  if (english && monthNamed(english[1]!))
    return { numbers: [Number(english[3]), monthNamed(english[1]!), Number(english[2])], order: 'ymd' };
  return undefined;
}

/** The order of all days of a file together; `open` when 03/04/2026 can be read in two ways. */
export function dayStyle(days: readonly string[]): DayOrder | 'mixed' | 'open' {
  let isOpen = false;
  const orders = new Set<DayOrder>();
  for (const text of days) {
    const found = numbersOf(text);
    if (!found) continue;
    if (found.order) orders.add(found.order);
    // 04/04/2026 is the same in either way.
    else if (found.numbers[0] !== found.numbers[1]) isOpen = true;
  }
  if (orders.has('dmy') && orders.has('mdy')) return 'mixed';
  const known = [...orders].find((order) => order !== 'ymd');
  if (known) return known;
  return isOpen ? 'open' : 'ymd';
}

/** @returns "2026-03-12"; undefined when the text is no day of the calendar */
export function dayOf(text: string, order: DayOrder): string | undefined {
  const found = numbersOf(text);
  if (!found) return undefined;
  const [one, two, three] = found.numbers;
  const [year, month, day] =
    found.order === 'ymd' ? [one, two, three] : order === 'mdy' ? [three, one, two] : [three, two, one];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1990 && year < 2100;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

export const isDay = (text: string): boolean => numbersOf(text) !== undefined;
export const isAmount = (text: string): boolean => partsOf(text) !== undefined;
