import { formatMoney } from '@arboleda/contracts/money.ts';
import { DATE_STYLES } from '@arboleda/contracts/regional-formats.ts';
import { COLOMBIA, organisationTimeZone } from '@arboleda/contracts/time-zone.ts';
import { asLanguage, localeOf } from './languages.ts';

type Moment = string | number | Date;

/** From here on distances are in kilometres. */
const FAR_METRES = 10_000;

const made = new Map<string, Formats>();

/** The formats of a language. Those of Intl are made when they are first used, and kept: making one is slow. */
export function formatsOf(language: string): Formats {
  const timeZone = organisationTimeZone();
  const key = `${language} ${timeZone}`;
  const formats = made.get(key) ?? makeFormats(language, timeZone);
  made.set(key, formats);
  return formats;
}

function makeFormats(language: string, timeZone: string) {
  const locale = localeOf(language);
  const number = (options: Intl.NumberFormatOptions = {}) => {
    const format = once(() => new Intl.NumberFormat(locale, options));
    return (value: number) => format().format(value);
  };
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = once(() => new Intl.DateTimeFormat(locale, options));
    return (moment: Moment) => unbroken(format().format(new Date(moment)));
  };
  const unit = (name: string, maximumFractionDigits: number) =>
    number({ style: 'unit', unit: name, maximumFractionDigits });
  const [kilobytes, megabytes] = [unit('kilobyte', 0), unit('megabyte', 1)];
  const [metres, kilometres] = [unit('meter', 0), unit('kilometer', 1)];
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }));
  const countries = once(() => new Intl.DisplayNames(locale, { type: 'region' }));
  const currencies = new Map<string, string>();
  const localFullDate = date({ dateStyle: 'full' });
  const localTime = date({ hour: 'numeric', minute: '2-digit' });
  const hour = date({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  const month = date({ month: 'long', year: 'numeric', timeZone });
  return {
    number: number(),
    /** "0.000243", "4,115.2": exchange rates */
    rate: number({ maximumSignificantDigits: 6 }),
    /** "412 kB", "3.1 MB" */
    fileSize: (bytes: number) =>
      bytes < 1_000_000 ? kilobytes(Math.max(1, bytes / 1000)) : megabytes(bytes / 1_000_000),
    /** "1,234 m", "12.3 km" */
    distance: (length: number) => (length < FAR_METRES ? metres(length) : kilometres(length / 1000)),
    /** "name, email and picture" */
    list: (items: readonly string[]) => list().format(items),
    percent: number({ style: 'percent' }),
    /** "COP 82,300" */
    money: (amountMinor: number, currency: string) =>
      formatMoney(amountMinor, currency, asLanguage(language) ?? 'en').replace(/\s/g, '\u00a0'),
    /** "Colombian pesos" */
    currencyName(currency: string): string {
      const name = currencies.get(currency) ?? nameOfCurrency(locale, currency);
      currencies.set(currency, name);
      return name;
    },
    /** "Colombia" for CO */
    country: (code: string) => countries().of(code) ?? code,
    /** "Saturday, 12 December 2026", capitalized, in the reader's time zone */
    localFullDate: (moment: Moment) => capitalised(localFullDate(moment)),
    /** "9:40 am", "la 1:07 p. m.", "las 9:40 a. m.": after "until", in the reader's time zone */
    untilTime(moment: Moment) {
      const time = localTime(moment);
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
    hour: (ofDay: number) => hour(Date.UTC(2000, 0, 1, ofDay)),
    /** "Colombia Time": a time zone by its IANA name */
    zone: (name: string) =>
      new Intl.DateTimeFormat(locale, { timeZone: name, timeZoneName: 'longGeneric' })
        .formatToParts(0)
        .find(({ type }) => type === 'timeZoneName')?.value ?? name,
    /** "March 2027", capitalized */
    month: (moment: Moment) => capitalised(month(moment)),
  };
}

function once<Made>(make: () => Made): () => Made {
  let kept: Made | undefined;
  return () => (kept ??= make());
}

function nameOfCurrency(locale: string, currency: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'name' });
  return format.formatToParts(2).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** Keeps the time on one line: "9:40 p. m." */
const unbroken = (text: string): string =>
  text.replace(/\d\s[ap]\.?\s?m\b/, (time) => time.replace(/\s/g, '\u00a0'));

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export type Formats = ReturnType<typeof makeFormats>;
