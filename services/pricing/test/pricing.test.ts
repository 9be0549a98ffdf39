import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { COUNTRIES, CURRENCIES } from '@arboleda/contracts/countries.ts';
import { pricingEndpoints } from '@arboleda/contracts/endpoints/pricing.ts';
import { priceOf } from '@arboleda/contracts/packages.ts';
import { quoteClaims } from '@arboleda/contracts/quote.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jwtVerify } from 'jose';
import { ageDays, COMMITTED_RATES } from '../rates/rates.ts';
import { openHarness, QUOTE_SECRET, startProvider } from './harness.ts';

describe('pricing', () => {
  let harness: Awaited<ReturnType<typeof openHarness>>;

  let url: string;

  beforeAll(async () => {
    harness = await openHarness();
    url = (await harness.start()).url;
  });

  afterAll(() => harness.close());

  const from = (acceptLanguage: string) => ({ headers: { 'Accept-Language': acceptLanguage } });

  const claimsOf = async (quote: string) => {
    const { payload } = await jwtVerify(quote, new TextEncoder().encode(QUOTE_SECRET));
    return { claims: quoteClaims.parse(payload), payload };
  };

  describe('the price of a tree', () => {
    test('is in pesos for a browser from Colombia', async () => {
      const { status, body } = await request(url, 'GET /api/pricing/dynamic', from('es-CO,es;q=0.9'));
      expect(status).toBe(200);
      expect(pricingEndpoints['GET /api/pricing/dynamic'].response.parse(body)).toEqual(body);
      expect(body).toEqual({
        currency: 'COP',
        country: 'Colombia',
        countryCode: 'CO',
        exchangeRate: 4115,
        basePrice: 5,
        localPrice: 20_575,
        formatted: '$20.575',
        symbol: '$',
        flag: '🇨🇴',
        ratesAsOf: COMMITTED_RATES.asOf,
        ratesAgeDays: ageDays(COMMITTED_RATES.asOf, new Date()),
      });
    });

    test('may be cached privately for an hour, per language', async () => {
      const { headers } = await request(url, 'GET /api/pricing/dynamic', from('es-CO'));
      expect(headers.get('cache-control')).toBe('private, max-age=3600');
      expect(headers.get('vary')).toContain('Accept-Language');
    });

    test('is in dollars for anybody else', async () => {
      for (const language of ['en', 'de-DE', '*', 'nonsense']) {
        const { body } = await request(url, 'GET /api/pricing/dynamic', from(language));
        expect(body).toMatchObject({
          currency: 'USD',
          country: 'United States',
          exchangeRate: 1,
          localPrice: 5,
        });
        expect(body.formatted).toBe('$5.00');
      }
    });

    test('is in the currency that is asked for, and a currency that is not offered is refused', async () => {
      const from = { headers: { 'Accept-Language': 'es-CO' } };
      const asked = await request(url, 'GET /api/pricing/dynamic', { ...from, query: { currency: 'EUR' } });
      expect(asked.body).toMatchObject({ currency: 'EUR', countryCode: 'CO', symbol: '€' });
      for (const key of ['GET /api/pricing/dynamic', 'GET /api/pricing/packages'] as const) {
        const { status, body } = await request(url, key, { ...from, query: { currency: 'XXX' as 'EUR' } });
        expect(status).toBe(422);
        expect(body.errors).toMatchObject([{ path: 'currency' }]);
      }
    });

    test('is written without decimals for zero-decimal currencies', async () => {
      const { body } = await request(url, 'GET /api/pricing/packages', { query: { currency: 'KRW' } });
      expect(body.packages[0].amount).toBe(6810);
    });

    test('is known for each of the fifteen countries', async () => {
      for (const country of COUNTRIES) {
        const { body } = await request(url, 'GET /api/pricing/dynamic', from(`en-${country.code}`));
        expect(body).toMatchObject({
          countryCode: country.code,
          currency: country.currency,
          flag: country.flag,
        });
        expect(body.localPrice).toBeCloseTo(5 * COMMITTED_RATES.rates[country.currency], -1);
      }
    });

    test('follows the country from a trusted CDN', async () => {
      const headers = { 'Accept-Language': 'en-GB', 'CF-IPCountry': 'MX', 'X-Visitor-Country': 'PE' };
      expect((await request(url, 'GET /api/pricing/dynamic', { headers })).body.countryCode).toBe('PE');
    });
  });

  describe('packages', () => {
    test('are priced by one rule, with a quote valid for thirty minutes', async () => {
      const { status, body } = await request(url, 'GET /api/pricing/packages', from('es-CO'));
      expect(status).toBe(200);
      expect(pricingEndpoints['GET /api/pricing/packages'].response!.parse(body)).toEqual(body);
      expect(body).toMatchObject({
        currency: 'COP',
        country: 'Colombia',
        exchangeRate: 4115,
        ratesAsOf: COMMITTED_RATES.asOf,
        ratesSource: COMMITTED_RATES.source,
        cardMaxAmount: 9_999_999_999,
        packages: [
          { packageType: 'individual', trees: 1, amount: 2_057_500, unitAmount: 2_057_500, savingAmount: 0 },
          {
            packageType: 'grove',
            trees: 5,
            amount: 8_230_000,
            unitAmount: 1_646_000,
            savingAmount: 2_057_500,
          },
          {
            packageType: 'patch',
            trees: 20,
            amount: 28_805_000,
            unitAmount: 1_440_250,
            savingAmount: 12_345_000,
          },
          { packageType: 'custom', trees: 1, amount: 2_057_500, unitAmount: 2_057_500, savingAmount: 0 },
        ],
      });
      expect(body.photoPackages).toMatchObject([
        { photoPackageType: 'first_year', amount: 6_172_500, unitAmount: 2_057_500, updates: 3 },
        { photoPackageType: 'three_year', amount: 10_287_500, savingPercent: 29, popular: true, updates: 7 },
        { photoPackageType: 'lifetime', amount: 14_402_500, savingPercent: 30, updates: 10 },
      ]);
      const { claims, payload } = await claimsOf(body.quote);
      expect(claims).toMatchObject({ currency: 'COP', country: 'CO', rate: 4115 });
      expect(new Date(payload.exp! * 1000).toISOString()).toBe(body.expiresAt);
      expect(payload.exp! - payload.iat!).toBe(30 * 60);
      for (const { packageType, trees, amount } of body.packages) {
        expect(priceOf(packageType, trees, claims.rate, claims.currency)?.amountMinor).toBe(amount);
      }
    });

    test('come in another currency when requested, for the same country', async () => {
      const { body } = await request(url, 'GET /api/pricing/packages', {
        ...from('es-CO'),
        query: { currency: 'JPY' },
      });
      expect(body).toMatchObject({ currency: 'JPY', country: 'Colombia' });
      expect(body.packages[0]).toMatchObject({ amount: 724 });
    });

    test('are not cached, as their quote expires', async () => {
      const { headers } = await request(url, 'GET /api/pricing/packages');
      expect(headers.get('cache-control')).toBe('no-store');
    });

    test('never share a quote', async () => {
      const quotes = await Promise.all(
        [1, 2].map(async () => (await request(url, 'GET /api/pricing/packages')).body.quote as string),
      );
      const ids = await Promise.all(quotes.map(async (quote) => (await claimsOf(quote)).claims.jti));
      expect(new Set(ids).size).toBe(2);
    });

    test.each(['XAU', 'cop', '', 'COP,USD'])('in "%s" are refused', async (currency) => {
      const { status, body } = await request(url, 'GET /api/pricing/packages', { query: { currency } });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        type: 'validation-failed',
        errors: [{ path: 'currency', type: 'unknown-value' }],
      });
    });
  });

  describe('a quote for another service', () => {
    const ask = (parts: object) => request(url, 'POST /internal/quotes', parts);

    test('has the requested currency and the buyer’s country', async () => {
      const token = await harness.identity.serviceToken('payments', 'pricing');
      const country = async (visitor: object) => {
        const { status, body } = await ask({ token, body: { currency: 'EUR', visitor } });
        expect(status).toBe(200);
        const { claims } = await claimsOf(body.quote);
        expect(claims).toMatchObject({ currency: 'EUR', rate: COMMITTED_RATES.rates.EUR });
        return claims.country;
      };
      expect(await country({ acceptLanguage: 'es-MX' })).toBe('MX');
      expect(await country({ country: 'CO', acceptLanguage: 'es-MX' })).toBe('CO');
      expect(await country({})).toBe('US');
    });

    test('is refused to people, and to a token for another service', async () => {
      const body = { currency: 'EUR', visitor: {} };
      expect((await ask({ body })).status).toBe(401);
      expect((await ask({ body, token: await harness.identity.token({ role: 'admin' }) })).status).toBe(401);
      expect(
        (await ask({ body, token: await harness.identity.serviceToken('payments', 'auth') })).status,
      ).toBe(401);
      expect(
        (await ask({ body, token: await harness.identity.serviceToken('media', 'pricing') })).status,
      ).toBe(403);
    });

    test.each([
      [{ visitor: {} }, 'required'],
      [{ currency: 'XAU', visitor: {} }, 'unknown-value'],
      [{ currency: 7, visitor: {} }, 'unknown-value'],
    ])('asked for by %j is refused', async (body, type) => {
      const answer = await ask({ token: await harness.identity.serviceToken('payments', 'pricing'), body });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'currency', type })]);
    });
  });

  test('reports its readiness', async () => {
    expect((await fetch(new URL('/readyz', url))).status).toBe(200);
  });
});

describe('exchange rates', () => {
  let harness: Awaited<ReturnType<typeof openHarness>>;

  let provider: Awaited<ReturnType<typeof startProvider>>;

  beforeEach(async () => {
    [harness, provider] = await Promise.all([openHarness(), startProvider()]);
  });

  afterEach(async () => {
    await harness.close();
    await provider.close();
  });

  const pricesIn = async (url: string, currency: string) =>
    (await request(url, 'GET /api/pricing/packages', { query: { currency } })).body;

  const untilAsOf = (url: string, day: string) =>
    waitFor(async () => {
      const prices = await pricesIn(url, 'COP');
      return prices.ratesAsOf === day && prices;
    });

  const untilAskedAgain = async () => {
    const before = provider.calls();
    await waitFor(() => provider.calls() > before + 1);
  };

  test('rates of the provider replace the committed ones, with their day and source', async () => {
    provider.says('2026-11-20', { COP: 4020, EUR: 0.86 });
    const { url } = await harness.start({ ratesUrl: provider.url });
    const prices = await untilAsOf(url, '2026-11-20');
    expect(prices).toMatchObject({ exchangeRate: 4020, ratesSource: '127.0.0.1' });
    expect(prices.packages[0].amount).toBe(2_010_000);
    expect((await pricesIn(url, 'PYG')).exchangeRate).toBe(COMMITTED_RATES.rates.PYG);
  });

  test('a rate that jumps is rejected; the others of the same day are accepted', async () => {
    provider.says('2026-11-20', { COP: 4020, EUR: 0.86 });
    const { url } = await harness.start({ ratesUrl: provider.url });
    await untilAsOf(url, '2026-11-20');
    provider.says('2026-11-21', { COP: 40.2, EUR: 0.87 });
    await waitFor(async () => (await pricesIn(url, 'EUR')).exchangeRate === 0.87);
    expect(await pricesIn(url, 'EUR')).toMatchObject({ ratesAsOf: '2026-11-21' });
    expect(await pricesIn(url, 'COP')).toMatchObject({ exchangeRate: 4020, ratesAsOf: '2026-11-20' });
  });

  test('the last known rates stay while the provider is unavailable, also after a restart', async () => {
    provider.says('2026-11-20', { COP: 4020 });
    const first = await harness.start({ ratesUrl: provider.url });
    await untilAsOf(first.url, '2026-11-20');
    provider.fails();
    await untilAskedAgain();
    expect((await pricesIn(first.url, 'COP')).exchangeRate).toBe(4020);
    await first.close();
    const second = await harness.start();
    expect(await pricesIn(second.url, 'COP')).toMatchObject({ exchangeRate: 4020, ratesAsOf: '2026-11-20' });
  });

  test('the committed rates are used until a provider has answered', async () => {
    const { url } = await harness.start({ ratesUrl: provider.url });
    await untilAskedAgain();
    expect(await pricesIn(url, 'COP')).toMatchObject({
      exchangeRate: 4115,
      ratesAsOf: COMMITTED_RATES.asOf,
      ratesSource: COMMITTED_RATES.source,
    });
  });

  test('rates of an earlier day change nothing', async () => {
    provider.says('2001-01-01', { COP: 4020 });
    const { url } = await harness.start({ ratesUrl: provider.url });
    await untilAskedAgain();
    expect((await pricesIn(url, 'COP')).exchangeRate).toBe(4115);
  });

  async function figure(url: string, name: string): Promise<number | undefined> {
    const text = await (await fetch(new URL('/metrics', url))).text();
    const line = text.split('\n').find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  }

  const HOUR_MS = 60 * 60 * 1000;

  test('a failing provider is asked again soon, and metrics count its failures', async () => {
    const { url } = await harness.start({
      ratesUrl: provider.url,
      ratesRefreshMs: HOUR_MS,
      ratesRetryMs: 20,
    });
    await waitFor(async () => ((await figure(url, 'rates_refresh_failures')) ?? 0) >= 2);
    provider.says('2026-11-20', { COP: 4020 });
    await untilAsOf(url, '2026-11-20');
    await waitFor(async () => (await figure(url, 'rates_refresh_failures')) === 0);
  });

  test('several replicas ask a provider once, and a restarted one waits for its turn', async () => {
    provider.says('2026-11-20', { COP: 4020 });
    const pace = { ratesUrl: provider.url, ratesRefreshMs: HOUR_MS, ratesRetryMs: 20 };
    const replicas = await Promise.all([harness.start(pace), harness.start(pace), harness.start(pace)]);
    for (const { url } of replicas) await untilAsOf(url, '2026-11-20');
    await replicas[0]!.close();
    const anew = await harness.start(pace);
    await untilAsOf(anew.url, '2026-11-20');
    const turns = harness.turns();
    await waitFor(() => harness.turns() >= turns + 3);
    expect(provider.calls()).toBe(1);
  });

  test('metrics show an old table and a rejected rate', async () => {
    provider.says('2026-11-20', { COP: 40.2 });
    const { url } = await harness.start({ ratesUrl: provider.url });
    await waitFor(async () => (await figure(url, 'rates_refused')) === 1);
    const { ratesAgeDays, exchangeRate } = await pricesIn(url, 'COP');
    expect(exchangeRate).toBe(4115);
    expect(await figure(url, 'rates_age_days')).toBe(ratesAgeDays);
    const real = await harness.start({ ratesAlertAfterDays: 3 });
    expect(await figure(real.url, 'rates_too_old')).toBe(CURRENCIES.length - 1);
  });

  test('a currency with an old rate is not offered: prices are in dollars', async () => {
    const today = new Date().toISOString().slice(0, 10);
    provider.says(today, { EUR: 0.86 });
    const { url } = await harness.start({ ratesUrl: provider.url, ratesOfferedForDays: 3 });
    await waitFor(async () => (await pricesIn(url, 'EUR')).currency === 'EUR');
    expect(await pricesIn(url, 'EUR')).toMatchObject({ exchangeRate: 0.86, ratesAsOf: today });
    const pesos = await pricesIn(url, 'COP');
    expect(pesos).toMatchObject({ currency: 'USD', exchangeRate: 1 });
    expect(pesos.packages[0].amount).toBe(500);
    const tree = await request(url, 'GET /api/pricing/dynamic', { headers: { 'Accept-Language': 'es-CO' } });
    expect(tree.body).toMatchObject({ currency: 'USD', exchangeRate: 1, basePrice: 5, localPrice: 5 });
    expect(tree.body.wantedCurrency).toBe('COP');
  });

  test('a trial dates the committed rates at its first start, and prices in dollars once they are old', async () => {
    const trial = { isTrial: true, ratesOfferedForDays: 3 };
    const today = new Date().toISOString().slice(0, 10);
    const first = await harness.start(trial);
    expect(await pricesIn(first.url, 'COP')).toMatchObject({
      exchangeRate: 4115,
      ratesAsOf: today,
      ratesAgeDays: 0,
    });
    const daysLater = (days: number) => ({ clock: () => new Date(Date.now() + days * 24 * HOUR_MS) });
    const still = await harness.start(trial, daysLater(3));
    expect(await pricesIn(still.url, 'COP')).toMatchObject({ currency: 'COP', ratesAsOf: today });
    const later = await harness.start(trial, daysLater(4));
    expect(await pricesIn(later.url, 'COP')).toMatchObject({ currency: 'USD', exchangeRate: 1 });
  });

  test('a future day is rejected', async () => {
    provider.says('2099-01-01', { COP: 4020 });
    const { url } = await harness.start({ ratesUrl: provider.url });
    await waitFor(async () => ((await figure(url, 'rates_refresh_failures')) ?? 0) >= 1);
    expect((await pricesIn(url, 'COP')).ratesAsOf).toBe(COMMITTED_RATES.asOf);
  });
});
