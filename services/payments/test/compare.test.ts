import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openComparison } from '../reconcile/compare.ts';
import { takeLease } from '../reconcile/lease.ts';
import { LIST_NAMES, type ListName, type ListReport, type ReadList } from '../reconcile/lists.ts';
import { openHarness, QUIET } from './harness.ts';
import { aPaidPayment, webhooks } from './shop.ts';

const HOUR_MS = 60 * 60_000;
let platform: TestPlatform;
let sql: Sql;
let nowMs: number;
const clock = () => new Date(nowMs);

beforeAll(async () => {
  platform = await openTestPlatform();
  sql = await platform.sql('payments', new URL('../migrations/', import.meta.url));
});
afterAll(async () => {
  await sql.close();
  await platform.close();
});
beforeEach(async () => {
  nowMs = Date.parse('2026-11-22T12:00:00Z');
  await sql.query('delete from reconciled_lists');
  await sql.query('update reconciler_lease set holder = null');
});

/** Lists that note since when they were asked. */
function lists(result: Partial<ListReport> = {}) {
  const asked: Date[] = [];
  const list =
    (name: ListName): ReadList =>
    async (since) => {
      if (name === 'refunds') asked.push(since);
      return {
        list: name,
        lookedAt: 1,
        repaired: 0,
        notOurs: 0,
        failed: 0,
        ...(name === 'refunds' && result),
      };
    };
  const all = Object.fromEntries(LIST_NAMES.map((name) => [name, list(name)])) as Record<ListName, ReadList>;
  return { asked, comparison: openComparison({ sql, lists: all, clock }) };
}

describe('the regular comparison', () => {
  test('begins with a day, and then goes on where it ended, an hour of it once more', async () => {
    const { asked, comparison } = lists();
    const begunMs = nowMs;
    expect((await comparison.regular()).map(({ list }) => list)).toEqual([...LIST_NAMES]);
    nowMs += 10 * HOUR_MS;
    await comparison.regular();
    expect(asked.map((since) => since.getTime())).toEqual([begunMs - 24 * HOUR_MS, begunMs - HOUR_MS]);
  });

  test.each([
    ['a list could not be read to its end', { fault: 'away' }],
    ['something on it could not be brought in', { failed: 1 }],
  ])('begins at the same point again when %s', async (_what, result) => {
    const { asked, comparison } = lists(result);
    const begunMs = nowMs;
    await lists().comparison.regular();
    for (let hours = 0; hours < 2; hours++) {
      nowMs += HOUR_MS;
      await comparison.regular();
    }
    expect(asked.map((since) => since.getTime())).toEqual([begunMs - HOUR_MS, begunMs - HOUR_MS]);
  });

  test('leaves it to whoever is at it', async () => {
    const lease = (await takeLease(sql, clock))!;
    const { asked, comparison } = lists();
    expect(await comparison.regular()).toEqual([]);
    expect(asked).toEqual([]);
    await lease.release();
    expect(await comparison.regular()).toHaveLength(LIST_NAMES.length);
  });
});

describe('a comparison that was asked for', () => {
  test('waits for whoever is at it, and looks back as far as it was told', async () => {
    const lease = (await takeLease(sql, clock))!;
    const { asked, comparison } = lists();
    const since = new Date(nowMs - 200 * HOUR_MS);
    const comparing = comparison.since(since);
    expect(asked).toEqual([]);
    await lease.release();
    expect(await comparing).toHaveLength(LIST_NAMES.length);
    expect(asked).toEqual([since]);
  });

  test('leaves no gap behind the regular one', async () => {
    const { asked, comparison } = lists();
    const begunMs = nowMs;
    await comparison.regular();
    nowMs += 100 * HOUR_MS;
    await comparison.since(new Date(nowMs - HOUR_MS));
    expect(asked[1]!.getTime()).toBe(begunMs - HOUR_MS);
  });
});

test('whoever died is followed after two minutes, and cannot go on when it was only slow', async () => {
  const slow = (await takeLease(sql, clock))!;
  nowMs += 119_000;
  expect(await takeLease(sql, clock)).toBeUndefined();
  await slow.renew();
  nowMs += 121_000;
  const next = (await takeLease(sql, clock))!;
  await expect(slow.renew()).rejects.toThrow('another process');
  await slow.release();
  expect(await takeLease(sql, clock)).toBeUndefined();
  await next.release();
});

test('by itself, what no webhook told is found soon', async () => {
  const harness = await openHarness({ reconcile: { ...QUIET, listsIntervalMs: 100 } });
  try {
    const { paymentId, intentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await harness.sandbox.stripe.refunds.create({ payment_intent: intentId });
    await harness.events.next('payment.refunded', ({ data }) => data.paymentId === paymentId);
    // One that comes between the two lists of a run is found on the second.
    await waitFor(() =>
      harness.logs.some(
        ({ msg, list, repaired }) =>
          msg === 'the reconciler found what no webhook had told' &&
          ['refunds', 'events'].includes(String(list)) &&
          repaired === 1,
      ),
    );
  } finally {
    await harness.close();
  }
});
