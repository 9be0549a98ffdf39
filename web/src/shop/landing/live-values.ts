import { localise } from '@arboleda/contracts/money.ts';
import type { Formats } from '../../i18n/formats.ts';
import { majorToMinor, type DynamicPrice } from '../../api/tree-price.ts';
import { hectaresFigure, timeLeftToday, treesFigure } from './counters.ts';

export type LiveName =
  | 'trees'
  | 'hectares'
  | 'price'
  | 'priceCode'
  | 'priceFigure'
  | 'regular'
  | 'discount'
  | 'why'
  | 'date'
  | 'hours'
  | 'minutes'
  | 'seconds';

export const treeValues = (trees: number | undefined) => ({
  trees: treesFigure(trees),
  hectares: hectaresFigure(trees),
});

/** Prices of the offer card in US cents: product spec section 9. Today's is the base price. */
const REGULAR_CENTS = 1500;
const DISCOUNT_CENTS = 1000;

/** Prices of a tree, all in the visitor's currency. */
export function priceValues(price: DynamicPrice | undefined, formats: Formats) {
  if (!price) return { price: '…', priceCode: '', priceFigure: '…', regular: '…', discount: '…' };
  const { currency, exchangeRate } = price;
  const of = (cents: number) => formats.money(localise(cents, exchangeRate, currency), currency);
  const today = formats.money(majorToMinor(price), currency);
  const [priceCode = '', ...figure] = today.split('\u00a0');
  return {
    price: today,
    priceCode,
    priceFigure: figure.join('\u00a0'),
    regular: of(REGULAR_CENTS),
    discount: of(DISCOUNT_CENTS),
  };
}

/** Placeholder for fill-figures.ts, which i18next leaves untouched. */
export const WANTED = '{{wanted}}';

/** Why the price is in dollars, when the rate of the visitor's currency is out of date; otherwise nothing. */
export const whyDollars = (price: DynamicPrice | undefined, sentence: string, formats: Formats): string =>
  price?.wantedCurrency ? sentence.replace(WANTED, formats.currencyName(price.wantedCurrency)) : '';

const twoDigits = (count: number): string => String(count).padStart(2, '0');

/** Today's date and the remaining time; ellipses without a clock. */
export function clockValues(now: Date | undefined, formats: Formats) {
  if (!now) return { date: '…', hours: '··', minutes: '··', seconds: '··' };
  const { hours, minutes, seconds } = timeLeftToday(now);
  return {
    date: formats.localFullDate(now),
    hours: twoDigits(hours),
    minutes: twoDigits(minutes),
    seconds: twoDigits(seconds),
  };
}
