/** Countries whose visitors see prices in their own currency: product spec section 9. */
export interface Country {
  code: string;
  name: string;
  currency: Currency;
  flag: string;
}

const country = (code: string, name: string, currency: Currency): Country => ({
  code,
  name,
  currency,
  flag: String.fromCodePoint(...[...code].map((letter) => 0x1f1a5 + letter.charCodeAt(0))),
});

/**
 * Ecuador uses the dollar. Venezuela pays in dollars because Stripe does not charge bolívares
 * (https://docs.stripe.com/currencies).
 */
export const COUNTRIES: readonly Country[] = [
  country('US', 'United States', 'USD'),
  country('AR', 'Argentina', 'ARS'),
  country('BR', 'Brazil', 'BRL'),
  country('MX', 'Mexico', 'MXN'),
  country('CO', 'Colombia', 'COP'),
  country('ES', 'Spain', 'EUR'),
  country('GB', 'United Kingdom', 'GBP'),
  country('CA', 'Canada', 'CAD'),
  country('CL', 'Chile', 'CLP'),
  country('PE', 'Peru', 'PEN'),
  country('VE', 'Venezuela', 'USD'),
  country('EC', 'Ecuador', 'USD'),
  country('UY', 'Uruguay', 'UYU'),
  country('PY', 'Paraguay', 'PYG'),
  country('BO', 'Bolivia', 'BOB'),
];

const DEFAULT_COUNTRY = COUNTRIES[0]!;

/** Country of an ISO 3166 code; the United States when unknown. */
export const countryOf = (code: string | undefined): Country =>
  COUNTRIES.find((one) => one.code === code?.toUpperCase()) ?? DEFAULT_COUNTRY;

/** Currencies that can be charged: those of the countries and those an admin may set (product spec section 5). */
export const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'CAD',
  'AUD',
  'COP',
  'MXN',
  'BRL',
  'ARS',
  'CLP',
  'PEN',
  'UYU',
  'PYG',
  'BOB',
  'JPY',
  'KRW',
] as const;
export type Currency = (typeof CURRENCIES)[number];
