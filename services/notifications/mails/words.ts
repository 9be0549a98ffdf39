import type { Coordinates } from '@arboleda/contracts/fields.ts';
import { hasLink } from '@arboleda/contracts/links.ts';
import { formatMoney } from '@arboleda/contracts/money.ts';
import { PHOTO_PACKAGES, type PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { DATE_STYLES, LOCALES } from '@arboleda/contracts/regional-formats.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { isTakenName } from '@arboleda/contracts/sender-name.ts';
import { COLOMBIA, organisationTimeZone } from '@arboleda/contracts/time-zone.ts';

interface PartialMoney {
  amountMinor?: number | undefined;
  currency?: string | undefined;
}

/** A language's formats for counts, dates and money. */
export function wordsIn(language: Language) {
  const locale = LOCALES[language];
  const dates = (options: Intl.DateTimeFormatOptions) => {
    let format: Intl.DateTimeFormat | undefined;
    return (instant: string) => {
      format ??= new Intl.DateTimeFormat(locale, { timeZone: organisationTimeZone(), ...options });
      return format.format(new Date(instant));
    };
  };
  const number = new Intl.NumberFormat(locale);
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const year = dates({ year: 'numeric' });
  const month = dates({ month: 'long' });
  return {
    /** "21 November 2026", "21 de noviembre de 2026" */
    day: dates(DATE_STYLES.day),
    /** The day in Colombia, for deadlines of its law. */
    colombianDay: dates({ ...DATE_STYLES.day, timeZone: COLOMBIA }),
    /** Date, time and time zone in Colombia, for what its law dates. */
    colombianMoment: dates({ ...DATE_STYLES.momentWithZone, timeZone: COLOMBIA }),
    /** A day without a time: "2026-12-24". */
    date: dates({ ...DATE_STYLES.day, timeZone: 'UTC' }),
    /** Date, time and time zone. */
    moment: dates(DATE_STYLES.momentWithZone),
    /** "1,200 trees" from 1200, "tree" and "trees" */
    counted: (count: number, one: string, many: string): string =>
      `${number.format(count)} ${count === 1 ? one : many}`,
    capitalised: (text: string): string =>
      text.replace(/^\p{L}/u, (letter) => letter.toLocaleUpperCase(locale)),
    money: ({ amountMinor, currency }: { amountMinor: number; currency: string }): string =>
      formatMoney(amountMinor, currency, language),
    /** Events of earlier releases lack some amounts. */
    moneyIfKnown: ({ amountMinor, currency }: PartialMoney): string | undefined =>
      amountMinor === undefined || currency === undefined
        ? undefined
        : formatMoney(amountMinor, currency, language),
    /** "2, 3 and 4" */
    list: (items: readonly (string | number)[]): string => list.format(items.map(String)),
    /** Years with their months: "2027", "March, June and December". */
    monthsByYear: (instants: readonly string[]): [string, string][] =>
      [...Map.groupBy(instants, year)].map(([name, those]) => [name, list.format(those.map(month))]),
  };
}

/** First name for greetings; empty when it is none, as it may have been crafted to look like an address. */
export const firstName = (name: string): string => {
  const first = name.trim().split(/\s+/)[0] ?? '';
  return /[.:/@\\]/.test(first) || first.length > 30 ? '' : first;
};

/**
 * A whole name, in one line; empty when it could be read as a link, is a bank's or an authority's, or is too long for a
 * sender: gifts from before that rule are sent, too.
 */
export const fullName = (name: string): string => {
  const plain = name.trim().replace(/\s+/g, ' ');
  const isUnfit = /[:/@\\<>"]|\.\S/.test(plain) || plain.length > 60 || hasLink(plain) || isTakenName(plain);
  return isUnfit ? '' : plain;
};

/** A stranger's words; empty when they have a link, as gifts from before that rule may. */
export const withoutLinks = (text: string | undefined): string =>
  text === undefined || hasLink(text) ? '' : text;

/** "Thank you, Lucía", or "Thank you" without a name. */
export const addressed = (words: string, name: string): string =>
  firstName(name) ? `${words}, ${firstName(name)}` : words;

/** "Ana, you have 5 trees", or "You have 5 trees" without a name. */
export const called = (name: string, words: string): string =>
  firstName(name)
    ? `${firstName(name)}, ${words}`
    : words.replace(/\p{L}/u, (letter) => letter.toLocaleUpperCase());

/** "l…a@example.org": its owner recognizes it. */
export const masked = (email: string): string =>
  email.replace(/^(.)(.*)(.)@/u, (_all, first: string, between: string, last: string) =>
    between ? `${first}…${last}@` : `${first}…@`,
  );

/** Six decimals, not localized, for copying into a map. */
export const point = ({ latitude, longitude }: Coordinates): string =>
  `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;

/** Due dates of a package's updates: months after `startsAt`, clamped to the end of the month. */
export function updateDates(photoPackageType: PhotoPackageType, startsAt: string): string[] {
  return PHOTO_PACKAGES[photoPackageType].months.map((months) => {
    const date = new Date(startsAt);
    const day = date.getUTCDate();
    date.setUTCMonth(date.getUTCMonth() + months, 1);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(day, last));
    return date.toISOString();
  });
}

/** Stripe's names of card brands are lower case: https://docs.stripe.com/api/payment_methods/object */
const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** "Visa ···· 4242" */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)} ···· ${last4}`;
