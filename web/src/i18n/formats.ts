import { formatMoney } from '@arboleda/contracts/money.ts';
import { DATE_STYLES } from '@arboleda/contracts/regional-formats.ts';
import { COLOMBIA, organisationTimeZone } from '@arboleda/contracts/time-zone.ts';
import { asLanguage, localeOf } from './languages.ts';

type Moment = string | number | Date;

/** From here on distances are in kilometres. */
const FAR_METRES = 10_000;

export function formatsOf(language: string) {
  const locale = localeOf(language);
  const timeZone = organisationTimeZone();
  const date = (options: Intl.DateTimeFormatOptions) => (moment: Moment) =>
    unbroken(new Intl.DateTimeFormat(locale, options).format(new Date(moment)));
  return {
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    /** "0.000243", "4,115.2": exchange rates */
    rate: (value: number) => new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 }).format(value),
    /** "412 kB", "3.1 MB" */
    fileSize: (bytes: number) => {
      const isSmall = bytes < 1_000_000;
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: isSmall ? 'kilobyte' : 'megabyte',
        maximumFractionDigits: isSmall ? 0 : 1,
      }).format(isSmall ? Math.max(1, bytes / 1000) : bytes / 1_000_000);
    },
    /** "1,234 m", "12.3 km" */
    distance: (metres: number) => {
      const isNear = metres < FAR_METRES;
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: isNear ? 'meter' : 'kilometer',
        maximumFractionDigits: isNear ? 0 : 1,
      }).format(isNear ? metres : metres / 1000);
    },
    /** "name, email and picture" */
    list: (items: readonly string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(items),
    percent: (share: number) => new Intl.NumberFormat(locale, { style: 'percent' }).format(share),
    /** "COP 82,300.00" */
    money: (amountMinor: number, currency: string) =>
      formatMoney(amountMinor, currency, asLanguage(language) ?? 'en').replace(/\s/g, '\u00a0'),
    /** "Colombian pesos" */
    currencyName: (currency: string) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'name' })
        .formatToParts(2)
        .find(({ type }) => type === 'currency')?.value ?? currency,
    /** "Colombia" for CO */
    country: (code: string) => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code,
    /** "Saturday, 12 December 2026", capitalized, in the reader's time zone */
    localFullDate: (moment: Moment) => capitalised(date({ dateStyle: 'full' })(moment)),
    /** "9:40 am", "la 1:07 p. m.", "las 9:40 a. m.": after "until", in the reader's time zone */
    untilTime(moment: Moment) {
      const time = date({ hour: 'numeric', minute: '2-digit' })(moment);
      if (asLanguage(language) !== 'es') return time;
      return /^0?1:/.test(time) ? `la ${time}` : `las ${time}`;
    },
    fullDate: date({ dateStyle: 'full', timeZone }),
    /** "12 December 2026" */
    day: date({ ...DATE_STYLES.day, timeZone }),
    /** "12 December 2026" in Colombia, for deadlines of its law */
    colombianDay: date({ ...DATE_STYLES.day, timeZone: COLOMBIA }),
    /** "12 December 2026" for the calendar day "2026-12-12" */
    calendarDay: date({ ...DATE_STYLES.day, timeZone: 'UTC' }),
    /** "12 December 2026 at 9:40 am" */
    moment: date({ ...DATE_STYLES.moment, timeZone }),
    /** "12 December 2026 at 9:40 am" in another time zone, by its IANA name */
    momentIn: (moment: Moment, zone: string) => date({ ...DATE_STYLES.moment, timeZone: zone })(moment),
    /** "30 Nov": for current work */
    shortDay: date({ ...DATE_STYLES.shortDay, timeZone }),
    /** "30 Nov 2026": in narrow columns */
    briefDay: date({ ...DATE_STYLES.shortDay, year: 'numeric', timeZone }),
    /** "9:40 am" */
    time: date({ hour: 'numeric', minute: '2-digit', timeZone }),
    /** "9:00 am" for the hour 9 */
    hour: (hour: number) =>
      date({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' })(Date.UTC(2000, 0, 1, hour)),
    /** "Colombia Time": a time zone by its IANA name */
    zone: (name: string) =>
      new Intl.DateTimeFormat(locale, { timeZone: name, timeZoneName: 'longGeneric' })
        .formatToParts(0)
        .find(({ type }) => type === 'timeZoneName')?.value ?? name,
    /** "March 2027", capitalized */
    month: (moment: Moment) => capitalised(date({ month: 'long', year: 'numeric', timeZone })(moment)),
  };
}

/** Keeps the time on one line: "9:40 p. m." */
const unbroken = (text: string): string =>
  text.replace(/\d\s[ap]\.?\s?m\b/, (time) => time.replace(/\s/g, '\u00a0'));

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export type Formats = ReturnType<typeof formatsOf>;
