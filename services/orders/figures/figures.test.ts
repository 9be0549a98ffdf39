import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import type { DeadLetter } from '@arboleda/chassis/ports/event-bus.ts';
import { lastDays, listDeadLetters, soldOn } from './figures.ts';
import { remembered } from './remembered.ts';
import type { Sold, SoldPackages } from './store.ts';

describe('the last days', () => {
  test('end with today in Colombia, which may be yesterday in Europe', () => {
    expect(lastDays(new Date('2026-11-22T04:59:59Z'), 3)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
    expect(lastDays(new Date('2026-11-22T05:00:00Z'), 1)).toEqual(['2026-11-22']);
  });

  test('cross months and leap days', () => {
    expect(lastDays(new Date('2028-03-01T12:00:00Z'), 2)).toEqual(['2028-02-29', '2028-03-01']);
  });
});

test('dead letters are listed with their order, and without what customers typed', () => {
  const orderId = '65f0c0ffee0000000006bbe0';
  const letter = (id: string, event: unknown) =>
    ({ id, group: 'media', event, error: 'emma@mail.test', failedAt: '2026-11-21T12:00:00Z' }) as DeadLetter;
  const { deadLetters } = listDeadLetters([
    letter('1', { type: 'order.updated', data: { orderId, email: 'emma@mail.test' } }),
    letter('2', { type: 'worker.updated', data: { workerId: 'w1' } }),
    letter('3', 'not an event'),
    letter('4', null),
  ]);
  expect(JSON.stringify(deadLetters)).not.toContain('emma');
  expect(deadLetters.map(({ id, event, orderId: of, shortId }) => [id, event, of, shortId])).toEqual([
    ['1', 'order.updated', orderId, '06BBE0'],
    ['2', 'worker.updated', undefined, undefined],
    ['3', 'unreadable', undefined, undefined],
    ['4', 'unreadable', undefined, undefined],
  ]);
  const many = Array.from({ length: 101 }, (_, nth) => letter(String(nth), null));
  expect(listDeadLetters(many).deadLetters).toHaveLength(100);
});

describe('sales of a day', () => {
  const nothingBack = { refundedMinor: 0, lostMinor: 0 };
  const sold: Sold[] = [
    { day: '2026-11-20', currency: 'COP', orders: 1, trees: 1, amountMinor: 1, ...nothingBack },
    { day: '2026-11-21', currency: 'COP', orders: 1, trees: 5, amountMinor: 8_230_000, ...nothingBack },
    {
      day: '2026-11-21',
      currency: 'USD',
      orders: 2,
      trees: 21,
      amountMinor: 7000,
      refundedMinor: 500,
      lostMinor: 900,
    },
  ];

  const packages: SoldPackages[] = [
    { day: '2026-11-21', currency: 'USD', amountMinor: 2500, refundedMinor: 1000, lostMinor: 0 },
  ];

  test('are listed by currency, with refunds and lost disputes', () => {
    expect(soldOn(['2026-11-20', '2026-11-21'], sold, packages)).toEqual([
      {
        day: '2026-11-20',
        orders: 1,
        trees: 1,
        amounts: [{ currency: 'COP', amount: 1, refunded: 0, lost: 0 }],
        packageAmounts: [],
      },
      {
        day: '2026-11-21',
        orders: 3,
        trees: 26,
        amounts: [
          { currency: 'COP', amount: 8_230_000, refunded: 0, lost: 0 },
          { currency: 'USD', amount: 7000, refunded: 500, lost: 900 },
        ],
        packageAmounts: [{ currency: 'USD', amount: 2500, refunded: 1000, lost: 0 }],
      },
    ]);
  });

  test('are zero on a quiet day', () => {
    expect(soldOn(['2026-11-19'], sold, packages)).toEqual([
      { day: '2026-11-19', orders: 0, trees: 0, amounts: [], packageAmounts: [] },
    ]);
  });
});

/** A loader and a clock that the test controls. */
function open(staleMs = 60_000) {
  const state = { nowMs: 0, loads: 0, answer: async (load: number): Promise<number> => load };
  const recall = remembered(() => state.answer(++state.loads), {
    forMs: 1_000,
    staleMs,
    clock: () => new Date(state.nowMs),
    logger: pino({ level: 'silent' }),
  });
  return { state, recall };
}

test('a full page costs one load', async () => {
  const { state, recall } = open();
  expect(await Promise.all([recall(), recall(), recall()])).toEqual([1, 1, 1]);
  state.nowMs = 999;
  expect(await recall()).toBe(1);
  expect(state.loads).toBe(1);
});

test('a stale answer is served while a newer one loads', async () => {
  const { state, recall } = open();
  await recall();
  state.nowMs = 1_000;
  expect(await Promise.all([recall(), recall()])).toEqual([1, 1]);
  await waitFor(async () => (await recall()) === 2);
  expect(state.loads).toBe(2);
});

test('an answer older than the limit is loaded first', async () => {
  const { state, recall } = open();
  await recall();
  state.nowMs = 60_000;
  expect(await recall()).toBe(2);
});

test('without staleness allowed, every expired answer is loaded first', async () => {
  const { state, recall } = open(0);
  await recall();
  state.nowMs = 1_000;
  expect(await Promise.all([recall(), recall()])).toEqual([2, 2]);
});

test('a slow load runs rarely', async () => {
  const { state, recall } = open();
  state.answer = async (load) => {
    state.nowMs += 500;
    return load;
  };
  await recall();
  state.nowMs = 500 + 9_999;
  await recall();
  expect(state.loads).toBe(1);
  state.nowMs = 500 + 10_000;
  await recall();
  expect(state.loads).toBe(2);
});

test('the last answer stays while loading fails', async () => {
  const { state, recall } = open();
  await recall();
  state.answer = async () => Promise.reject(new Error('away'));
  state.nowMs = 70_000;
  expect(await recall()).toBe(1);
  state.answer = async () => 7;
  state.nowMs = 140_000;
  expect(await recall()).toBe(7);
});

test('a store that becomes slow delays refreshes, not visitors', async () => {
  const { state, recall } = open();
  await recall();
  let finish = (_answer: number): void => undefined;
  state.answer = () => new Promise((resolve) => (finish = resolve));
  state.nowMs = 70_000;
  expect(await Promise.all([recall(), recall()])).toEqual([1, 1]);
  expect(state.loads).toBe(2);
  finish(9);
  await waitFor(async () => (await recall()) === 9);
});

test('a failure before the first answer is not cached', async () => {
  const { state, recall } = open();
  state.answer = async () => Promise.reject(new Error('away'));
  await expect(recall()).rejects.toThrow('away');
  state.answer = async () => 7;
  expect(await recall()).toBe(7);
});
