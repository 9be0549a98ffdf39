import { CURRENCIES, type Currency } from '@arboleda/contracts/countries.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { currentRates } from './current-rates.ts';
import { httpRates } from './http-rates.ts';
import {
  acceptRates,
  ageDays,
  COMMITTED_RATES,
  currentTable,
  dayOf,
  offeredCurrency,
  type OfferedRates,
  outdated,
  type RateTable,
} from './rates.ts';
import { isDue, pauseMs } from './refresh-plan.ts';

describe('rates', () => {
  const table = (asOf: string, rates: Partial<RateTable['rates']> = {}): RateTable => ({
    asOf,
    source: 'rates.test',
    rates: { ...COMMITTED_RATES.rates, ...rates },
  });

  describe('the committed table', () => {
    test('has a rate for every supported currency, a day and a source', () => {
      expect(Object.keys(COMMITTED_RATES.rates).sort()).toEqual([...CURRENCIES].sort());
      for (const rate of Object.values(COMMITTED_RATES.rates)) expect(rate).toBeGreaterThan(0);
      expect(COMMITTED_RATES.rates.USD).toBe(1);
      expect(new Date(COMMITTED_RATES.asOf).getTime()).toBeLessThan(Date.now());
      expect(COMMITTED_RATES.source).not.toBe('');
    });

    test('is used until a table is accepted, and again once it is newer', () => {
      expect(currentTable(undefined)).toBe(COMMITTED_RATES);
      expect(currentTable(table('2001-01-01'))).toBe(COMMITTED_RATES);
      expect(currentTable(table('2099-01-01', { COP: 4000 })).rates.COP).toBe(4000);
    });

    test('fills in currencies that a stored table lacks', () => {
      const { KRW: _unknown, ...rates } = COMMITTED_RATES.rates;
      const kept = { asOf: '2099-01-01', source: 'old', rates } as RateTable;
      expect(currentTable(kept).rates.KRW).toBe(COMMITTED_RATES.rates.KRW);
      expect(dayOf(currentTable(kept), 'KRW')).toBe(COMMITTED_RATES.asOf);
      expect(dayOf(currentTable(kept), 'COP')).toBe('2099-01-01');
    });
  });

  describe('rates offered by a provider', () => {
    const known = table('2026-01-01', { COP: 4000 });
    const accept = (offer: OfferedRates, from = known) =>
      acceptRates(from, offer, new Date('2026-01-03T12:00:00Z'));

    test.each([4000, 3200, 4800])('COP at %d is plausible after 4000', (COP) => {
      const { table: taken, refused } = accept({
        asOf: '2026-01-02',
        source: 'there',
        rates: { COP },
      });
      expect(taken).toMatchObject({ asOf: '2026-01-02', source: 'there', rates: { ...known.rates, COP } });
      expect(dayOf(taken!, 'COP')).toBe('2026-01-02');
      expect(dayOf(taken!, 'EUR')).toBe('2026-01-01');
      expect(refused).toEqual([]);
    });

    test.each([3199, 4801, 40, 400_000, 0, -4000, Number.NaN, Number.POSITIVE_INFINITY])(
      'COP at %d is refused after 4000, and the other currencies are taken',
      (COP) => {
        const { table: taken, refused } = accept({
          asOf: '2026-01-02',
          source: 'there',
          rates: { COP, EUR: 0.9 },
        });
        expect(taken?.rates).toEqual({ ...known.rates, EUR: 0.9 });
        expect(refused).toEqual([{ currency: 'COP', known: 4000, offered: COP }]);
      },
    );

    test('with a dollar other than one are refused', () => {
      const { table: taken, refused } = accept({
        asOf: '2026-01-02',
        source: 'there',
        rates: { USD: 1.1 },
      });
      expect(taken?.rates.USD).toBe(1);
      expect(refused).toHaveLength(1);
    });

    test('of an earlier day change nothing', () => {
      expect(accept({ asOf: '2025-12-31', source: 'there', rates: { COP: 4001 } })).toEqual({
        refused: [],
      });
    });

    test('of the same day are new only when they differ', () => {
      const offer = (COP: number) => ({ asOf: '2026-01-01', source: 'there', rates: { COP } });
      expect(accept(offer(4000)).table).toBeUndefined();
      expect(accept(offer(4001)).table?.rates.COP).toBe(4001);
    });

    test('without a plausible rate for a currency leave its day unchanged until one comes', () => {
      const first = accept({ asOf: '2026-01-02', source: 'there', rates: { EUR: 0.9, MXN: 40 } }).table!;
      const second = accept({ asOf: '2026-01-03', source: 'there', rates: { MXN: 19 } }, first).table!;
      expect(['COP', 'EUR', 'MXN'].map((one) => dayOf(second, one as Currency))).toEqual([
        '2026-01-01',
        '2026-01-02',
        '2026-01-03',
      ]);
      // The same rate on a later day advances its day.
      const third = accept({ asOf: '2026-01-03', source: 'there', rates: { COP: 4000 } }, second).table!;
      expect(dayOf(third, 'COP')).toBe('2026-01-03');
      expect(
        accept({ asOf: '2026-01-03', source: 'there', rates: { COP: 4000 } }, third).table,
      ).toBeUndefined();
    });

    test('are used for prices up to their last day, per currency; the dollar is always one', () => {
      const kept: RateTable = { ...table('2026-03-01'), older: { COP: '2026-01-30', EUR: '2026-01-29' } };
      const now = new Date('2026-03-01T12:00:00Z');
      const offered = (wanted: Currency, days = 30) => offeredCurrency(kept, wanted, days, now);
      expect((['COP', 'EUR', 'MXN', 'USD'] as const).map((one) => offered(one))).toEqual([
        'COP',
        'USD',
        'MXN',
        'USD',
      ]);
      expect(offered('EUR', Infinity)).toBe('EUR');
      expect(outdated(kept, 7, now)).toEqual(['EUR', 'COP']);
      expect(outdated({ ...kept, asOf: '2020-01-01' }, 30, now)).not.toContain('USD');
      expect(outdated(kept, Infinity, now)).toEqual([]);
    });

    test('of a future day are refused', () => {
      expect(() => accept({ asOf: '2026-01-05', source: 'there', rates: { COP: 4001 } })).toThrow(
        '2026-01-05',
      );
      expect(accept({ asOf: '2026-01-04', source: 'there', rates: { COP: 4001 } }).table).toBeDefined();
    });

    test('may move further after a gap, but never by half', () => {
      const lastYear = table('2025-01-03', { COP: 4000 });
      const offer = (COP: number) => ({ asOf: '2026-01-03', source: 'there', rates: { COP } });
      expect(accept(offer(5900), lastYear).refused).toEqual([]);
      expect(accept(offer(6100), lastYear).refused).toHaveLength(1);
      expect(accept(offer(1900), lastYear).refused).toHaveLength(1);
    });
  });

  test.each([
    ['2026-01-03T00:00:00Z', 0],
    ['2026-01-03T23:59:59Z', 0],
    ['2026-01-04T00:00:00Z', 1],
    ['2026-01-02T12:00:00Z', 0],
    ['2027-01-03T00:00:00Z', 365],
  ])('at %s rates of 3 January 2026 are %d days old', (now, days) => {
    expect(ageDays('2026-01-03', new Date(now))).toBe(days);
  });
});

describe('current rates', () => {
  const table = (COP: number): RateTable => ({
    asOf: '2026-11-20',
    source: 'rates.test',
    rates: { ...COMMITTED_RATES.rates, COP },
  });

  /** A store that the test controls, and a fixed clock. */
  function open() {
    const state = { nowMs: 0, asked: 0, answer: async (): Promise<RateTable | undefined> => table(4000) };
    const store = {
      latest() {
        state.asked++;
        return state.answer();
      },
    };
    const rates = currentRates(store, {
      forMs: 1000,
      clock: () => new Date(state.nowMs),
      logger: pino({ level: 'silent' }),
      maxWaitMs: 20,
    });
    return { state, rates };
  }

  test('concurrent calls cost one query', async () => {
    const { state, rates } = open();
    await Promise.all([rates(), rates(), rates()]);
    state.nowMs = 999;
    await rates();
    expect(state.asked).toBe(1);
  });

  test('a new table is used once the cached one expires', async () => {
    const { state, rates } = open();
    await rates();
    state.answer = async () => table(4100);
    expect((await rates()).rates.COP).toBe(4000);
    state.nowMs = 1000;
    expect((await rates()).rates.COP).toBe(4100);
  });

  test('prices stay while the store is unavailable, and follow it afterwards', async () => {
    const { state, rates } = open();
    await rates();
    state.nowMs = 1000;
    state.answer = async () => Promise.reject(new Error('away'));
    expect((await rates()).rates.COP).toBe(4000);
    state.answer = async () => table(4200);
    expect((await rates()).rates.COP).toBe(4200);
  });

  test('a store that does not answer delays no caller, and is queried once', async () => {
    const { state, rates } = open();
    await rates();
    state.nowMs = 1000;
    const silence = Promise.withResolvers<RateTable>();
    state.answer = () => silence.promise;
    expect((await rates()).rates.COP).toBe(4000);
    state.nowMs = 5000;
    expect((await rates()).rates.COP).toBe(4000);
    expect(state.asked).toBe(2);
    silence.resolve(table(4300));
    expect((await rates()).rates.COP).toBe(4300);
  });

  test('without any answer of the store there is an error, and the next call retries', async () => {
    const { state, rates } = open();
    state.answer = async () => Promise.reject(new Error('away'));
    await expect(rates()).rejects.toThrow('away');
    state.answer = async () => undefined;
    expect(await rates()).toBe(COMMITTED_RATES);
  });
});

describe('http rates', () => {
  let server: Server | undefined;

  async function providerThatSays(listener: RequestListener) {
    server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server!.once('listening', resolve));
    return httpRates(`http://127.0.0.1:${(server.address() as AddressInfo).port}/latest?base=USD`);
  }

  const says = (body: unknown, status = 200) =>
    providerThatSays((_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  describe('a provider of rates', () => {
    test('is read, without unsupported currencies', async () => {
      const provider = await says({
        base: 'USD',
        date: '2026-11-20',
        rates: { COP: 4020.5, EUR: 0.86, ISK: 127.1 },
      });
      expect(await provider.fetch()).toEqual({
        asOf: '2026-11-20',
        source: '127.0.0.1',
        rates: { COP: 4020.5, EUR: 0.86 },
      });
    });

    test('in the format of ExchangeRate-API is read as well', async () => {
      const provider = await says({
        result: 'success',
        base_code: 'USD',
        time_last_update_unix: 1_795_132_951,
        rates: { USD: 1, COP: 4020.5, AED: 3.67 },
      });
      const offered = await provider.fetch();
      expect(offered).toEqual({ asOf: '2026-11-20', source: '127.0.0.1', rates: { USD: 1, COP: 4020.5 } });
    });

    test.each([
      ['an error', { result: 'error', base_code: 'USD', time_last_update_unix: 1, rates: { COP: 4020 } }],
      [
        'another base in other words',
        { result: 'success', base_code: 'EUR', time_last_update_unix: 1, rates: {} },
      ],
      ['another base', { base: 'EUR', date: '2026-11-20', rates: { COP: 4700 } }],
      ['no day', { base: 'USD', rates: { COP: 4020 } }],
      ['a day that is none', { base: 'USD', date: 'today', rates: { COP: 4020 } }],
      ['a rate in words', { base: 'USD', date: '2026-11-20', rates: { COP: 'much' } }],
      ['no rates', { base: 'USD', date: '2026-11-20' }],
      ['a web page', '<html>Welcome</html>'],
      ['too much', JSON.stringify('x'.repeat(200_000))],
    ])('that answers %s is refused', async (_what, body) => {
      await expect((await says(body)).fetch()).rejects.toThrow();
    });

    test('that fails is refused, whatever its body', async () => {
      const provider = await says({ base: 'USD', date: '2026-11-20', rates: {} }, 500);
      await expect(provider.fetch()).rejects.toThrow('500');
    });

    test('that closes the connection is an error', async () => {
      const provider = await providerThatSays((request) => request.socket.destroy());
      await expect(provider.fetch()).rejects.toThrow();
    });
  });
});

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

const pace = { refreshMs: 6 * HOUR_MS, retryMs: MINUTE_MS };

const now = new Date('2026-11-22T12:00:00.000Z');

const last = (agoMs: number, failures = 0) => ({
  attemptedAt: new Date(now.getTime() - agoMs),
  failures,
  refused: [],
});

test('a provider that was never asked is asked at once', () => {
  expect(isDue(undefined, pace, now)).toBe(true);
});

test('after a success it is asked after the whole pause', () => {
  expect(isDue(last(6 * HOUR_MS - 1), pace, now)).toBe(false);
  expect(isDue(last(6 * HOUR_MS), pace, now)).toBe(true);
});

test('after a failure it is asked again soon', () => {
  expect(isDue(last(MINUTE_MS - 1, 1), pace, now)).toBe(false);
  expect(isDue(last(MINUTE_MS, 1), pace, now)).toBe(true);
});

test.each([
  [0, 6 * HOUR_MS],
  [1, MINUTE_MS],
  [2, 2 * MINUTE_MS],
  [5, 16 * MINUTE_MS],
  [10, 6 * HOUR_MS],
  [10_000, 6 * HOUR_MS],
])('after %d failures in a row it is asked again after %d ms', (failures, expected) => {
  expect(pauseMs(failures, pace)).toBe(expected);
});
