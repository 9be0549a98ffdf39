import { testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { ConfigError } from '@arboleda/chassis/config.ts';
import { CURRENCIES } from '@arboleda/contracts/countries.ts';
import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { QUOTE_SECONDS, quoteClaims } from '@arboleda/contracts/quote.ts';
import { expect, test } from '@jest/globals';
import { jwtVerify } from 'jose';
import { pricingConfig } from './config.ts';
import { visitorCountry } from './country.ts';
import { packagePrices, photoPackagePrices } from './packages.ts';
import { signQuote } from './quote.ts';
import { COMMITTED_RATES } from './rates/rates.ts';

test('growth updates have the prices and savings of the product spec in dollars', () => {
  expect(photoPackagePrices(1, 'USD')).toEqual([
    { photoPackageType: 'first_year', amount: 1500, unitAmount: 500, updates: 3, months: [3, 6, 12] },
    {
      photoPackageType: 'three_year',
      amount: 2500,
      unitAmount: 357,
      savingPercent: 29,
      popular: true,
      updates: 7,
      months: [0, 6, 12, 18, 24, 30, 36],
    },
    {
      photoPackageType: 'lifetime',
      amount: 3500,
      unitAmount: 350,
      savingPercent: 30,
      updates: 10,
      months: [6, 12, 18, 24, 30, 36, 42, 48, 54, 60],
    },
  ]);
});

test('trees have the prices and savings of the product spec in dollars', () => {
  expect(packagePrices(1, 'USD')).toEqual([
    { packageType: 'individual', trees: 1, amount: 500, unitAmount: 500, savingAmount: 0 },
    { packageType: 'grove', trees: 5, amount: 2000, unitAmount: 400, savingAmount: 500 },
    { packageType: 'patch', trees: 20, amount: 7000, unitAmount: 350, savingAmount: 3000 },
    { packageType: 'custom', trees: 1, amount: 500, unitAmount: 500, savingAmount: 0 },
  ]);
});

test('savings on growth updates are the same in every currency', () => {
  for (const currency of CURRENCIES) {
    const prices = photoPackagePrices(COMMITTED_RATES.rates[currency], currency);
    expect(prices.map(({ savingPercent }) => savingPercent)).toEqual([undefined, 29, 30]);
  }
});

test('every price can be charged exactly, in every currency', () => {
  for (const currency of CURRENCIES) {
    const rate = COMMITTED_RATES.rates[currency];
    for (const { amount } of [...packagePrices(rate, currency), ...photoPackagePrices(rate, currency)]) {
      expect(amount).toBeGreaterThan(0);
      expect(Number.isInteger(toStripeAmount(amount, currency))).toBe(true);
    }
  }
});

const secret = 'only pricing and payments know it';

const now = new Date('2026-11-21T12:00:00.400Z');

const promise = {
  jti: 'quote-1',
  currency: 'COP',
  country: 'CO',
  rate: 4115,
  ratesAsOf: '2026-11-20',
} as const;

test('a quote contains its price, for thirty minutes', async () => {
  const { quote, expiresAt } = await signQuote(promise, secret, now);
  const { payload } = await jwtVerify(quote, new TextEncoder().encode(secret), { currentDate: now });
  expect(quoteClaims.parse(payload)).toEqual(promise);
  expect(payload.exp! - payload.iat!).toBe(QUOTE_SECONDS);
  expect(expiresAt).toBe('2026-11-21T12:30:00.000Z');
});

test.each([
  ['es-CO', 'CO'],
  ['es-CO,es;q=0.9,en-US;q=0.8,en;q=0.7', 'CO'],
  ['en;q=0.9, pt-BR', 'BR'],
  ['es;q=1.0, es-419;q=0.9, es-MX;q=0.8', 'MX'],
  ['en-US;q=0.5, en-GB;q=0.6', 'GB'],
  ['en-GB;q=0, es-AR;q=0.1', 'AR'],
  ['ES-es', 'ES'],
  ['zh-Hant-CL', 'CL'],
  ['de-DE', 'US'],
  ['es', 'US'],
  ['*', 'US'],
  ['', 'US'],
  [undefined, 'US'],
  [';;q=,,es-PE;q=one', 'US'],
  ['x'.repeat(5000), 'US'],
])('Accept-Language "%.40s" comes from %s', (acceptLanguage, code) => {
  expect(visitorCountry({ acceptLanguage }).code).toBe(code);
});

test('a trusted header takes precedence over the language', () => {
  expect(visitorCountry({ country: 'co', acceptLanguage: 'en-US' }).code).toBe('CO');
  expect(visitorCountry({ country: 'DE', acceptLanguage: 'es-CO' }).code).toBe('US');
});

test.each(['XX', 'T1', '', 'Colombia'])('ignores a trusted header of "%s"', (country) => {
  expect(visitorCountry({ country, acceptLanguage: 'es-CO' }).code).toBe('CO');
});

const env = {
  ...testServiceKeyVariables('pricing'),
  QUOTE_SECRET: 'q'.repeat(32),
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:1',
};

test('asks no provider by default', () => {
  const config = pricingConfig(env);
  expect(config.ratesUrl).toBeUndefined();
  expect(config.ratesRefreshMs).toBe(6 * 60 * 60 * 1000);
});

test('uses no rate older than three days, and alerts by then; a trial dates its own', () => {
  const read = (changes: object) => {
    const config = pricingConfig({ ...env, ...changes });
    return [config.ratesAlertAfterDays, config.ratesOfferedForDays, config.isTrial];
  };
  const strong = {
    QUOTE_SECRET: 'hT6z_Kd9wQp2-Xc4LrVb8NmYs1JfGeUo',
    SITE_URL: 'https://trees.example',
  };
  expect(read({})).toEqual([3, 3, true]);
  expect(read({ RATES_URL: 'https://rates.example' })).toEqual([3, 3, false]);
  expect(read(strong)).toEqual([3, 3, false]);
  expect(read({ ...strong, RATES_ALERT_AFTER_DAYS: '7' })).toEqual([3, 3, false]);
  expect(read({ ...strong, RATES_ALERT_AFTER_DAYS: '2' })).toEqual([2, 3, false]);
});

test.each([
  ['RATES_ALERT_AFTER_DAYS', '0'],
  ['RATES_ALERT_AFTER_DAYS', '31'],
  ['QUOTE_SECRET', undefined],
  ['QUOTE_SECRET', 'short'],
  ['RATES_URL', 'somewhere'],
  ['RATES_REFRESH_SECONDS', '5'],
])('%s "%s" stops the start with its name', (name, value) => {
  const start = () => pricingConfig({ ...env, [name]: value });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(name);
});
