import { folded } from '@arboleda/contracts/search.ts';
import type { DayOrder } from '@arboleda/contracts/statement.ts';

/** Beginnings of the months in Spanish, English, German and Portuguese. */
export const MONTHS: readonly (readonly string[])[] = [
  ['ene', 'jan'],
  ['feb', 'fev'],
  ['mar'],
  ['abr', 'apr'],
  ['may', 'mai'],
  ['jun'],
  ['jul'],
  ['ago', 'aug'],
  ['sep', 'set'],
  ['oct', 'okt', 'out'],
  ['nov'],
  ['dic', 'dec', 'dez'],
];
const monthNamed = (word: string): number =>
  MONTHS.findIndex((names) => names.some((name) => word.startsWith(name))) + 1;

const yearOf = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits));

interface Written {
  /** In the order of the text; two of them when the year is left out. */
  numbers: readonly number[];
  /** Where the text tells it. */
  order?: DayOrder;
  /** Its month is a word, which tells nothing of days in numbers. */
  isNamed?: boolean;
}

/** Numbers of a day as they are written, and their order where the text tells it. */
function writtenIn(text: string): Written | undefined {
  if (!/\d/.test(text)) return undefined;
  const bare = (/[^\x20-\x40]/.test(text) ? folded(text) : text)
    .trim()
    .replace(/[t ]\d{1,2}:\d{2}.*$/, '')
    .replace(
      /^(?:lun|mar|mie|jue|vie|sab|dom|mon|tue|wed|thu|fri|sat|sun)\p{L}*\.?,? +(?=\d{1,2}(?:[-/.]| (?:de )?\p{L}))/u,
      '',
    );
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(bare) ?? /^((?:19|20)\d{2})(0\d|1[0-2])(\d{2})$/.exec(bare);
  if (iso) return { numbers: [Number(iso[1]), Number(iso[2]), Number(iso[3])], order: 'ymd' };
  const short =
    /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(bare) ??
    /^(\d{2})(\d{2})((?:19|20)\d{2})$/.exec(bare) ??
    /^(\d{1,2})[-/](\d{1,2})$/.exec(bare) ??
    /^(\d{1,2})\.(\d{1,2})\.$/.exec(bare);
  if (short) {
    const [one, two] = [Number(short[1]), Number(short[2])];
    const order = one > 12 ? 'dmy' : two > 12 ? 'mdy' : undefined;
    return { numbers: [one, two, ...(short[3] ? [yearOf(short[3])] : [])], ...(order && { order }) };
  }
  const named = /^(\d{1,2})[-/. ]*(?:de )?(\p{L}{3,})\.?[-/ ,]*(?:del? )?(\d{4}|\d{2})?$/u.exec(bare);
  if (named && monthNamed(named[2]!)) return ofNamed(named[1]!, named[2]!, named[3]);
  const english = /^(\p{L}{3,})\.? (\d{1,2})(?:,? (\d{4}))?$/u.exec(bare);
  if (english && monthNamed(english[1]!)) return ofNamed(english[2]!, english[1]!, english[3]);
  return undefined;
}

const ofNamed = (day: string, month: string, year: string | undefined): Written =>
  year === undefined
    ? { numbers: [Number(day), monthNamed(month)], order: 'dmy', isNamed: true }
    : { numbers: [yearOf(year), monthNamed(month), Number(day)], order: 'ymd', isNamed: true };

/** The order of all days of a file together; `open` when 03/04/2026 can be read in two ways. */
export function dayStyle(days: readonly string[]): DayOrder | 'mixed' | 'open' {
  let isOpen = false;
  const orders = new Set<DayOrder>();
  for (const text of days) {
    const found = writtenIn(text);
    if (!found || found.isNamed) continue;
    if (found.order) orders.add(found.order);
    // 04/04/2026 is the same in either way.
    else if (found.numbers[0] !== found.numbers[1]) isOpen = true;
  }
  if (orders.has('dmy') && orders.has('mdy')) return 'mixed';
  const known = [...orders].find((order) => order !== 'ymd');
  if (known) return known;
  return isOpen ? 'open' : 'ymd';
}

/** Colombia is five hours behind UTC all year: https://www.iana.org/time-zones */
const COLOMBIA_MS = -5 * 60 * 60 * 1000;

/** "2026-11-16" of an instant, where the account is. */
export const colombianDay = (instant: Date): string =>
  new Date(instant.getTime() + COLOMBIA_MS).toISOString().slice(0, 10);

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|z|[+-]\d{2}:?\d{2})$/;

/**
 * The day of a time with an offset, in Colombia. Midnight is how banks write a day without a time, so it stays as it is.
 * @returns undefined for a text without time and offset
 */
export function dayOfInstant(text: string): string | undefined {
  if (!INSTANT.test(text) || /[Tt ]00:00(?::00(?:\.0+)?)?\D/.test(text)) return undefined;
  const at = new Date(text.replace(' ', 'T'));
  return Number.isNaN(at.getTime()) ? undefined : colombianDay(at);
}

/**
 * @param yearAt year of a day that is written without one
 * @returns "2026-03-12"; undefined when the text is no day of the calendar
 */
export function dayOf(
  text: string,
  order: DayOrder,
  yearAt?: (month: number, day: number) => number | undefined,
): string | undefined {
  const instant = dayOfInstant(text.trim());
  if (instant) return instant;
  const found = writtenIn(text);
  if (!found) return undefined;
  const [one, two, three] = found.numbers as [number, number, number?];
  if (three === undefined) {
    const [month, day] = (found.order ?? order) === 'mdy' ? [one, two] : [two, one];
    const year = yearAt?.(month, day);
    return year === undefined ? undefined : realDay(year, month, day);
  }
  if (found.order === 'ymd') return realDay(one, two, three);
  return order === 'mdy' ? realDay(three, one, two) : realDay(three, two, one);
}

function realDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1990 && year < 2100;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

export const isDay = (text: string): boolean => writtenIn(text) !== undefined;

export const hasNoYear = (text: string): boolean => writtenIn(text)?.numbers.length === 2;

const SERIAL = /^(\d{5})(?:[.,]\d+)?$/;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Day 0 of Excel's calendar, and of the one that begins in 1904. */
const EPOCHS = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)] as const;

/** A day as a workbook counts it: 46342 is 2026-11-16. @returns undefined for other numbers than those of 1990 to 2099 */
export function serialDay(text: string, isFrom1904 = false): string | undefined {
  const number = Number(SERIAL.exec(text.trim())?.[1]);
  const day = new Date(EPOCHS[isFrom1904 ? 1 : 0] + number * DAY_MS);
  const year = Number.isNaN(number) ? 0 : day.getUTCFullYear();
  return year >= 1990 && year < 2100 ? day.toISOString().slice(0, 10) : undefined;
}
