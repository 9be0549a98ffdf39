import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { COMMITTED_RATES } from '../rates.ts';
import { openHarness, startProvider } from './harness.ts';

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

test('rates of the provider take the place of the committed ones, with their day and source', async () => {
  provider.says('2026-11-20', { COP: 4020, EUR: 0.86 });
  const { url } = await harness.start({ ratesUrl: provider.url });
  const prices = await untilAsOf(url, '2026-11-20');
  expect(prices).toMatchObject({ exchangeRate: 4020, ratesSource: '127.0.0.1' });
  expect(prices.packages[0].amount).toBe(2_010_000);
  expect((await pricesIn(url, 'PYG')).exchangeRate).toBe(COMMITTED_RATES.rates.PYG);
});

test('a rate that jumps is not believed; the others of the same day are', async () => {
  provider.says('2026-11-20', { COP: 4020, EUR: 0.86 });
  const { url } = await harness.start({ ratesUrl: provider.url });
  await untilAsOf(url, '2026-11-20');
  provider.says('2026-11-21', { COP: 40.2, EUR: 0.87 });
  expect((await untilAsOf(url, '2026-11-21')).exchangeRate).toBe(4020);
  expect((await pricesIn(url, 'EUR')).exchangeRate).toBe(0.87);
});

test('the last known rates stay while the provider is away, also after a restart without it', async () => {
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

test('the committed rates stand in for a provider that never answered', async () => {
  const { url } = await harness.start({ ratesUrl: provider.url });
  await untilAskedAgain();
  expect(await pricesIn(url, 'COP')).toMatchObject({
    exchangeRate: 4115,
    ratesAsOf: COMMITTED_RATES.asOf,
    ratesSource: COMMITTED_RATES.source,
  });
});

test('rates of a day before ours are no news', async () => {
  provider.says('2001-01-01', { COP: 4020 });
  const { url } = await harness.start({ ratesUrl: provider.url });
  await untilAskedAgain();
  expect((await pricesIn(url, 'COP')).exchangeRate).toBe(4115);
});
