import type { Language } from './roles.ts';

/**
 * Money is an integer in minor units: hundredths, except in currencies without decimals (product spec section 9).
 * Stripe counts differently; see toStripeAmount.
 */
const WITHOUT_DECIMALS = new Set(['JPY', 'KRW']);

/** Stripe takes whole units of these: https://docs.stripe.com/currencies#zero-decimal */
const STRIPE_ZERO_DECIMAL = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

/** Most minor units of one order or transfer in any currency. More than any is worth, and thousands still add up exactly. */
export const MAX_AMOUNT_MINOR = 10 ** 12;

export const currencyDecimals = (currency: string): 0 | 2 => (WITHOUT_DECIMALS.has(currency) ? 0 : 2);

/** Minor units per major unit: 100, or 1. */
export const minorPerMajor = (currency: string): 1 | 100 => (WITHOUT_DECIMALS.has(currency) ? 1 : 100);

/** Nobody has cents of these in Colombia, so prices are whole, and cents are shown only of an amount that has some. */
const WHOLE_PRICES = new Set(['COP']);

/** Converts minor units to Stripe's amount. @throws RangeError when Stripe cannot charge it exactly */
export function toStripeAmount(amountMinor: number, currency: string): number {
  if (!STRIPE_ZERO_DECIMAL.has(currency) || WITHOUT_DECIMALS.has(currency)) return amountMinor;
  if (amountMinor % 100 !== 0) throw new RangeError(`${currency} has no cents at Stripe: ${amountMinor}`);
  return amountMinor / 100;
}

export const fromStripeAmount = (stripeAmount: number, currency: string): number =>
  STRIPE_ZERO_DECIMAL.has(currency) && !WITHOUT_DECIMALS.has(currency) ? stripeAmount * 100 : stripeAmount;

/** Digits of the largest amount in the smallest unit; 8 for other currencies. */
const CARD_DIGITS: Partial<Record<string, number>> = { IDR: 12, LBP: 12, COP: 10, HUF: 10, JPY: 10, INR: 9 };

/**
 * Upper bound of one card payment in minor units: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
export const maxCardAmount = (currency: string): number =>
  fromStripeAmount(10 ** (CARD_DIGITS[currency] ?? 8) - 1, currency);

/**
 * Converts US cents at a rate (units of `currency` per dollar) to minor units, rounded to whole units where Stripe
 * charges no cents, or where nobody has any.
 */
export function localise(usdCents: number, rate: number, currency: string): number {
  const major = (usdCents * rate) / 100;
  const exact = (decimals: number) => Number(Math.round(Number(`${major.toFixed(8)}e${decimals}`)));
  if (WITHOUT_DECIMALS.has(currency)) return exact(0);
  return STRIPE_ZERO_DECIMAL.has(currency) || WHOLE_PRICES.has(currency) ? exact(0) * 100 : exact(2);
}

/** Amount of one piece as people read it: rounded to whole pesos in Colombia. */
export function pieceMinor(amountMinor: number, pieces: number, currency: string): number {
  const step = WHOLE_PRICES.has(currency) ? 100 : 1;
  return Math.round(amountMinor / pieces / step) * step;
}

/** Separators of the United States and of Colombia. */
const SEPARATORS = { en: { group: ',', decimal: '.' }, es: { group: '.', decimal: ',' } };

/**
 * "COP 82,300", "COP 82.300": the code first, joined to the number. Does without Intl, whose first use blocks a slow phone for
 * 80 ms.
 */
export function formatMoney(amountMinor: number, currency: string, language: Language): string {
  const { group, decimal } = SEPARATORS[language];
  const major = Math.abs(amountMinor) / minorPerMajor(currency);
  const isWhole = WHOLE_PRICES.has(currency) && amountMinor % 100 === 0;
  const [whole = '', cents] = major.toFixed(isWhole ? 0 : currencyDecimals(currency)).split('.');
  const number = whole.replaceAll(/\B(?=(\d{3})+$)/g, group) + (cents ? decimal + cents : '');
  return `${amountMinor < 0 ? '-' : ''}${currency}\u00a0${number}`;
}

/** Amount with the familiar symbol: "$5.00", "$20.575". */
export const formatWithSymbol = (amountMinor: number, currency: string, language: Language): string =>
  formatMoney(amountMinor, currency, language).replace(`${currency}\u00a0`, currencySymbol(currency));

/** About 25 symbols: product spec section 9. */
const SYMBOLS: Record<string, string> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  CAD: 'C$',
  AUD: 'A$',
  NZD: 'NZ$',
  COP: '$',
  MXN: '$',
  BRL: 'R$',
  ARS: '$',
  CLP: '$',
  PEN: 'S/',
  UYU: '$U',
  PYG: '₲',
  BOB: 'Bs',
  VES: 'Bs.',
  CRC: '₡',
  GTQ: 'Q',
  DOP: 'RD$',
  JPY: '¥',
  KRW: '₩',
  CNY: '¥',
  INR: '₹',
  CHF: 'CHF ',
  SEK: 'kr ',
  NOK: 'kr ',
  DKK: 'kr ',
};

export const currencySymbol = (currency: string): string => SYMBOLS[currency] ?? `${currency} `;
