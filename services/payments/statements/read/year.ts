import { folded } from '@arboleda/contracts/search.ts';
import type { DayOrder } from '@arboleda/contracts/statement.ts';
import { dayOf, hasNoYear, isDay, MONTHS } from './days.ts';
import type { ReadOptions } from './movement.ts';

/** Days between which all rows lie. */
export interface Period {
  from: string;
  to: string;
}

/** Rows may be booked a few days before or after the period that a file names. */
const TOLERANCE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** A day, a day without separators as in names of files, or a month with its year. */
const DAYS =
  /\d{4}[-/._]\d{1,2}[-/._]\d{1,2}|\d{1,2}[-/._]\d{1,2}[-/._]\d{4}|\d{1,2} (?:de )?\p{L}{3,10} (?:de )?\d{4}|(?<!\d)20\d{6}(?!\d)/gu;
const NAME = `(?<!\\p{L})((?:${MONTHS.flat().join('|')})\\p{L}{0,8})`;
const MONTH = new RegExp(
  `${NAME}[ _.-]*(?:del?[ _.-]*)?(20\\d{2})(?!\\d)|(?<!\\d)(20\\d{2})[ _.-]*${NAME}|` +
    String.raw`(?<!\d)(\d{1,2})[-/_.](20\d{2})(?!\d)|(?<!\d)(20\d{2})[-/_.]?(\d{2})(?!\d)`,
  'gu',
);
const YEAR = /(?<!\d)(20\d{2})(?!\d)/;

/** The period that a text states: two days, the day it was made, a month, or a year. */
export function periodIn(text: string): Period | undefined {
  const plain = folded(text);
  const days = [...plain.matchAll(DAYS)]
    .map(([found]) => found.replaceAll('_', '-'))
    .flatMap((found) => (isDay(found) ? (dayOf(found, 'dmy') ?? dayOf(found, 'mdy') ?? []) : []))
    .sort();
  if (days.length > 1) return { from: days[0]!, to: days.at(-1)! };
  if (days[0]) return { from: shifted(days[0], -330), to: days[0] };
  for (const [, name, year, yearFirst, nameAfter, month, monthYear, isoYear, isoMonth] of plain.matchAll(
    MONTH,
  )) {
    const y = year ?? yearFirst ?? monthYear ?? isoYear;
    const first =
      dayOf(`1 ${name ?? nameAfter ?? ''} ${y}`, 'dmy') ?? dayOf(`1/${month ?? isoMonth ?? ''}/${y}`, 'dmy');
    if (first) return { from: first, to: shifted(shifted(first, 31).slice(0, 8) + '01', -1) };
  }
  const year = YEAR.exec(plain)?.[1];
  return year ? { from: `${year}-01-01`, to: `${year}-12-31` } : undefined;
}

/** Whether a file's days go from December to January: 28/12, 03/01. */
const spansNewYear = (months: readonly number[]): boolean =>
  months.includes(12) && months.includes(1) && !months.some((month) => month > 3 && month < 10);

/**
 * The year of days that are written without one.
 * @param months of all rows
 * @param said the year of the last row, by an admin
 * @returns undefined for a day that is in no year or in several of the period
 */
export function yearRule(
  months: readonly number[],
  { said, period }: { said?: number | undefined; period: Period | undefined },
): (month: number, day: number) => number | undefined {
  const isSpanning = spansNewYear(months);
  if (said !== undefined) return (month) => (isSpanning && month > 6 ? said - 1 : said);
  if (!period) return () => undefined;
  const [from, to] = [shifted(period.from, -TOLERANCE_DAYS), shifted(period.to, TOLERANCE_DAYS)];
  const isWholeYear = period.from.slice(5) === '01-01' && period.to.slice(5) === '12-31';
  if (isSpanning && isWholeYear) return () => undefined;
  const years = [...new Set([from, to].map((one) => Number(one.slice(0, 4))))];
  return (month, day) => {
    const at = (year: number) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    const fits = (start: string, end: string) => years.filter((year) => at(year) >= start && at(year) <= end);
    const exact = fits(period.from, period.to);
    const found = exact.length > 0 ? exact : fits(from, to);
    return found.length === 1 ? found[0] : undefined;
  };
}

/**
 * The years of a file's days: said, or from the period above the titles or in the file's name.
 * @returns `isOpen` when they have to be asked; until then it is the last year
 */
export function yearsOf(
  days: readonly string[],
  of: {
    order: DayOrder;
    above: readonly (readonly string[])[];
    said: number | undefined;
    options: ReadOptions;
  },
) {
  const { order, above, said, options } = of;
  const bare = days.filter(hasNoYear);
  // A leap year has all days.
  const months = bare.flatMap((day) => Number(dayOf(day, order, () => 2024)?.slice(5, 7) ?? []));
  const period = periodIn(above.map((row) => row.join(' ')).join('\n')) ?? periodIn(options.fileName ?? '');
  const rule = yearRule(months, { said, period });
  const isOpen = bare.some(
    (day) => dayOf(day, order, () => 2024) && !dayOf(day, order, (...at) => rule(...at) && 2024),
  );
  const lastYear = Number((options.today ?? '2000').slice(0, 4));
  return { isOpen, rule: isOpen ? () => lastYear : rule };
}
