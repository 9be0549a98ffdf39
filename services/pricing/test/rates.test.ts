import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ageDays, COMMITTED_RATES } from '../rates.ts';
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

/** A figure as operators see it. */
async function figure(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name}{`) || one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

const HOUR_MS = 60 * 60 * 1000;

test('a provider that fails is asked again soon, and operators see how often it failed', async () => {
  const { url } = await harness.start({
    ...{ ratesUrl: provider.url, ratesRefreshMs: HOUR_MS, ratesRetryMs: 20 },
  });
  await waitFor(async () => ((await figure(url, 'rates_refresh_failures')) ?? 0) >= 2);
  provider.says('2026-11-20', { COP: 4020 });
  await untilAsOf(url, '2026-11-20');
  await waitFor(async () => (await figure(url, 'rates_refresh_failures')) === 0);
});

test('several replicas ask a provider once, and one that starts anew does not ask before its time', async () => {
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

test('a table that grows old, and a rate that is not believed, are seen by operators', async () => {
  provider.says('2026-11-20', { COP: 40.2 });
  const { url } = await harness.start({ ratesUrl: provider.url });
  await waitFor(async () => (await figure(url, 'rates_refused')) === 1);
  const { ratesAgeDays, exchangeRate } = await pricesIn(url, 'COP');
  expect(exchangeRate).toBe(4115);
  expect(await figure(url, 'rates_age_days')).toBe(ratesAgeDays);
  const silent = await harness.start();
  expect(await figure(silent.url, 'rates_age_days')).toBe(ageDays('2026-11-20', new Date()));
});

test('a day that has not come is not believed', async () => {
  provider.says('2099-01-01', { COP: 4020 });
  const { url } = await harness.start({ ratesUrl: provider.url });
  await waitFor(async () => ((await figure(url, 'rates_refresh_failures')) ?? 0) >= 1);
  expect((await pricesIn(url, 'COP')).ratesAsOf).toBe(COMMITTED_RATES.asOf);
});
