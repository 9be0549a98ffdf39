import type { TFunction } from 'i18next';
import { organisationTimeZone } from '@arboleda/contracts/time-zone.ts';
import { localeOf } from '../../i18n/languages.ts';

type Words = TFunction<['growth']>;

/** Up to this count every visit is named. */
const NAMED_VISITS = 4;

/** "March, June and December 2027"; "Every June and December, June 2027 to June 2030". Colombian months. */
export function datesInWords(visits: readonly string[], language: string, t: Words): string {
  const locale = localeOf(language);
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone: organisationTimeZone() });
    return (moment: string) => formatter.format(new Date(moment));
  };
  const list = (words: readonly string[]) =>
    new Intl.ListFormat(locale, { type: 'conjunction' }).format(words);
  const month = format({ month: 'long' });
  const year = format({ year: 'numeric' });
  const monthOfYear = format({ month: 'long', year: 'numeric' });
  const years = new Set(visits.map(year));
  const range = { first: monthOfYear(visits[0]!), last: monthOfYear(visits.at(-1)!) };
  if (visits.length > NAMED_VISITS) {
    const months = byCalendar([...new Set(visits.map(month))], visits, month);
    return months.length <= 2
      ? t('words.rhythm', { months: list(months), ...range })
      : capitalised(t('words.span', range));
  }
  if (years.size > 1) return capitalised(list(visits.map(monthOfYear)));
  return capitalised(t('words.ofYear', { months: list(visits.map(month)), year: [...years][0] }));
}

/** Sorts months by calendar, not by first occurrence. */
function byCalendar(
  names: string[],
  visits: readonly string[],
  nameOf: (moment: string) => string,
): string[] {
  const at = (name: string) => new Date(visits.find((visit) => nameOf(visit) === name)!).getUTCMonth();
  return names.sort((one, other) => at(one) - at(other));
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
