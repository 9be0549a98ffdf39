import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openComparison, takeLease } from '../reconcile/compare.ts';
import { LIST_NAMES, type ListName, type ListReport, type ReadList } from '../reconcile/lists.ts';
import { type Harness, intentIdOf, openHarness, QUIET, TEMPLATE } from './harness.ts';
import { aPaidPayment, webhooks } from './actions.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ reconcile: { ...QUIET, intervalMs: 100, afterMs: 50 } });
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'lose');
});

const lookUpsOf = (answer: Answer) =>
  harness.door.requests.filter(({ method, path }) => method === 'GET' && path.includes(intentIdOf(answer)))
    .length;
const paymentOf = async ({ body }: Answer) =>
  (await harness.payments()).find((one) => one.order_id === body.orderId)!;
const succeeded = ({ body }: Answer) =>
  harness.events.next('payment.succeeded', ({ data }) => data.orderId === body.orderId);

describe('when webhooks are lost', () => {
  test('a paid payment is found and published as if the webhook had come', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer);
    const { data } = await succeeded(answer);
    expect(data).toMatchObject({
      orderId: answer.body.orderId,
      transactionId: intentIdOf(answer),
      amountMinor: 2000,
      card: { brand: 'visa', last4: '4242' },
    });
    expect(await paymentOf(answer)).toMatchObject({ status: 'succeeded', reconcile_at: null });
    expect(await harness.metrics()).toMatch(
      /payments_sightings_total\{by="reconciler",result="succeeded"[^}]*\} [1-9]/,
    );
  });

  test('a decline is published once, however often Stripe is asked', async () => {
    const answer = await harness.checkout();
    await expect(harness.pay(answer, 'pm_card_chargeDeclined')).rejects.toThrow();
    const isOurs = ({ data }: { data: { orderId: string } }) => data.orderId === answer.body.orderId;
    expect((await harness.events.next('payment.failed', isOurs)).data.reason).toBe('generic_decline');
    const before = lookUpsOf(answer);
    await waitFor(() => lookUpsOf(answer) > before + 2);
    expect(harness.events.all('payment.failed').filter(isOurs)).toHaveLength(1);
  });

  test('a canceled payment is noticed', async () => {
    const answer = await harness.checkout();
    await harness.sandbox.stripe.paymentIntents.cancel(intentIdOf(answer));
    await waitFor(async () => (await paymentOf(answer)).status === 'canceled');
  });

  test('a late webhook changes nothing', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer);
    await succeeded(answer);
    const { events } = await harness.sandbox.control(
      'GET',
      `/events?type=payment_intent.succeeded&object=${intentIdOf(answer)}`,
    );
    await harness.sandbox.control('POST', `/events/${events[0].id}/repeat`, { times: 3 });
    await waitFor(async () => (await harness.receipts()).some(({ id }) => id === events[0].id));
    await webhooks(harness, 'deliver');
    const other = await harness.checkout();
    await harness.pay(other);
    await succeeded(other);
    expect(
      harness.events.all('payment.succeeded').filter(({ data }) => data.orderId === answer.body.orderId),
    ).toHaveLength(1);
  });
});

test('an intent that is paid before its payment is stored is found right after', async () => {
  await webhooks(harness, 'deliver');
  harness.door.set('held');
  const known = (await harness.intents()).map(({ id }) => id);
  const answering = harness.checkout();
  const intent = await waitFor(async () => (await harness.intents()).find(({ id }) => !known.includes(id)));
  // Only we can pay it, as the buyer has no client secret yet.
  await harness.sandbox.stripe.paymentIntents.confirm(intent.id, {
    payment_method: 'pm_card_visa',
    return_url: 'https://arboleda.test/',
  });
  const { events } = await harness.sandbox.control(
    'GET',
    `/events?type=payment_intent.succeeded&object=${intent.id}`,
  );
  await waitFor(async () => (await harness.receipts()).some(({ id }) => id === events[0].id));
  harness.door.set('open');
  const answer = await answering;
  expect(answer.status).toBe(200);
  const { data } = await succeeded(answer);
  expect(data).toMatchObject({ orderId: answer.body.orderId, transactionId: intent.id });
});

test('payments stay open when Stripe is unavailable', async () => {
  const answer = await harness.checkout();
  harness.door.set('shut');
  await harness.pay(answer);
  const { id } = await paymentOf(answer);
  await waitFor(() =>
    harness.logs.some(
      ({ msg, paymentId }) => msg === 'a payment could not be reconciled' && paymentId === id,
    ),
  );
  harness.door.set('open');
  await succeeded(answer);
});

test('one payment that cannot be looked up does not block the others', async () => {
  const gone = await harness.checkout();
  await harness.forgetIntent(gone);
  const answer = await harness.checkout();
  await harness.pay(answer);
  await succeeded(answer);
});

describe('comparing Stripe’s lists with our records', () => {
  const HOUR_MS = 60 * 60_000;
  let platform: TestPlatform;
  let sql: Sql;
  let nowMs: number;
  const clock = () => new Date(nowMs);

  beforeAll(async () => {
    platform = await openTestPlatform({ template: TEMPLATE });
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

  /** Lists that record the time they are asked to start from. */
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
    const all = Object.fromEntries(LIST_NAMES.map((name) => [name, list(name)])) as Record<
      ListName,
      ReadList
    >;
    return { asked, comparison: openComparison({ sql, lists: all, clock }) };
  }

  describe('the regular comparison', () => {
    test('covers a day first, then starts where it ended, with an hour of overlap', async () => {
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

    test('is skipped when another process holds the lease', async () => {
      const lease = (await takeLease(sql, clock))!;
      const { asked, comparison } = lists();
      expect(await comparison.regular()).toEqual([]);
      expect(asked).toEqual([]);
      await lease.release();
      expect(await comparison.regular()).toHaveLength(LIST_NAMES.length);
    });
  });

  describe('a requested comparison', () => {
    test('waits for the lease and covers the requested time', async () => {
      const lease = (await takeLease(sql, clock))!;
      const { asked, comparison } = lists();
      const since = new Date(nowMs - 200 * HOUR_MS);
      const comparing = comparison.since(since);
      expect(asked).toEqual([]);
      await lease.release();
      expect(await comparing).toHaveLength(LIST_NAMES.length);
      expect(asked).toEqual([since]);
    });

    test('leaves no gap before the regular one', async () => {
      const { asked, comparison } = lists();
      const begunMs = nowMs;
      await comparison.regular();
      nowMs += 100 * HOUR_MS;
      await comparison.since(new Date(nowMs - HOUR_MS));
      expect(asked[1]!.getTime()).toBe(begunMs - HOUR_MS);
    });
  });

  test('a lease of a dead process expires after two minutes, and a slow holder cannot continue', async () => {
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
});

test('the regular comparison soon finds what no webhook reported', async () => {
  const harness = await openHarness({ reconcile: { ...QUIET, listsIntervalMs: 100 } });
  try {
    const { paymentId, intentId } = await aPaidPayment(harness);
    await webhooks(harness, 'lose');
    await harness.sandbox.stripe.refunds.create({ payment_intent: intentId });
    await harness.events.next('payment.refunded', ({ data }) => data.paymentId === paymentId);
    // An object that appears between two lists of a run is found by the second.
    await waitFor(() =>
      harness.logs.some(
        ({ msg, list, repaired }) =>
          msg === 'found payments that no webhook had reported' &&
          ['refunds', 'events'].includes(String(list)) &&
          repaired === 1,
      ),
    );
  } finally {
    await harness.close();
  }
});

describe('npm run reconcile', () => {
  const MAIN = join(import.meta.dirname, '..', 'operator', 'main.ts');

  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness();
  });
  afterAll(() => harness.close());

  async function reconcile(...args: string[]) {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, DATABASE_URL: harness.platform.databaseUrl },
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { code, stdout, stderr };
  }
  const rowOf = (stdout: string, list: string) =>
    stdout
      .split('\n')
      .find((line) => line.startsWith(list))
      ?.trim()
      .split(/\s{2,}/)
      .slice(1)
      .map(Number);

  test('prints what was compared and repaired', async () => {
    await webhooks(harness, 'lose');
    const answer = await harness.checkout();
    await harness.pay(answer);
    await harness.sandbox.stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    const { code, stdout, stderr } = await reconcile('--since', '7d');
    expect([code, stderr]).toEqual([0, '']);
    expect(rowOf(stdout, 'payment intents')).toEqual([2, 1, 1, 0]);
    await harness.events.next('payment.succeeded', ({ data }) => data.orderId === answer.body.orderId);
  });

  test('reports when Stripe did not answer', async () => {
    harness.door.set('failing');
    const { code, stdout } = await reconcile('--since', '1h');
    harness.door.set('open');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^payment intents: An error occurred/m);
  });

  test('prints its usage without --since', async () => {
    const { code, stderr } = await reconcile();
    expect(code).toBe(1);
    expect(stderr).toContain('npm run reconcile -- --since 7d');
  });
});
