import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { runPeriodicJob } from '@arboleda/chassis/testing/periodic.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import { UNPAID_OF_NETWORK } from '../cards/unpaid.ts';
import { grove, type Harness, openHarness } from './harness.ts';

const MINUTE_MS = 60_000;

let harness: Harness;
let minutes = 0;
beforeAll(async () => {
  harness = await openHarness(
    { unpaidOfNetwork: UNPAID_OF_NETWORK },
    { clock: () => new Date(Date.now() + minutes * MINUTE_MS) },
  );
});
afterAll(() => harness.close());

/** The /64 of one subscriber; each test has its own. */
let network: string;
beforeEach(() => {
  network = `2001:db8:${randomInt(0xffff).toString(16)}:${randomInt(0xffff).toString(16)}`;
});

const start = (url?: string, address = `${network}::${randomInt(0xffff).toString(16)}`, key?: string) =>
  harness.checkout(grove, { address, ...(url && { url }), ...(key && { key }) });
const many = (count: number, url?: string) => Promise.all(Array.from({ length: count }, () => start(url)));
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const times = (count: number, status: number) => Array<number>(count).fill(status);

/** Pays, and waits until payments has noticed. */
async function pay(answers: readonly Answer[]): Promise<void> {
  await Promise.all(answers.map((answer) => harness.pay(answer)));
  const ids = answers.map(({ body }) => String(body.orderId));
  await waitFor(async () => {
    const rows = await harness.query<{ status: string }>(
      'select status from payments where order_id = any($1)',
      [ids],
    );
    return rows.length === ids.length && rows.every(({ status }) => status === 'succeeded');
  });
}

const hashes = async (answers: readonly Answer[]) =>
  (
    await harness.query<{ network_hash: string | null }>(
      'select network_hash from payments where order_id = any($1)',
      [answers.map(({ body }) => String(body.orderId))],
    )
  ).map((row) => row.network_hash);

describe('an address', () => {
  test('may buy as often as it pays', async () => {
    for (let bought = 0; bought < 200; bought += 25) {
      const answers = await many(25);
      expect(statuses(answers)).toEqual(times(25, 200));
      await pay(answers);
    }
  }, 120_000);

  test('may leave sixty payments unpaid in ten minutes, and a paid one makes room', async () => {
    const unpaid = await many(UNPAID_OF_NETWORK);
    expect(statuses(unpaid)).toEqual(times(UNPAID_OF_NETWORK, 200));
    const intents = (await harness.intents()).map(({ id }) => id);
    const refused = await start();
    expect(refused).toMatchObject({ status: 429, body: { type: 'too-many-requests' } });
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(540);
    expect(retryAfter).toBeLessThanOrEqual(600);
    // Nothing is asked of Stripe for it.
    expect((await harness.intents()).map(({ id }) => id)).toEqual(intents);

    await pay(unpaid.slice(0, 1));
    expect(statuses([await start(), await start()])).toEqual([200, 429]);
    minutes = 10;
    const later = await start();
    minutes = 0;
    expect(later.status).toBe(200);
  }, 60_000);
});

describe('with room for three unpaid payments', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await harness.start({ unpaidOfNetwork: 3 }));
  });

  test('as many as that are started at once, not one more', async () => {
    const answers = await many(12, url);
    expect(statuses(answers).sort()).toEqual([...times(3, 200), ...times(9, 429)]);
    expect((await start(url)).status).toBe(429);
  });

  test('other networks are not touched', async () => {
    expect(statuses(await many(3, url))).toEqual(times(3, 200));
    expect((await start(url)).status).toBe(429);
    expect((await start(url, '203.0.113.7')).status).toBe(200);
    expect((await start(url, `${network.replace('db8', 'db9')}::1`)).status).toBe(200);
  });

  test('a call that is repeated gets its payment, and counts once', async () => {
    const key = randomUUID();
    const first = await start(url, undefined, key);
    expect((await start(url, undefined, key)).body).toEqual(first.body);
    await many(2, url);
    expect((await start(url)).status).toBe(429);
    expect((await start(url, undefined, key)).body).toEqual(first.body);
  });

  test('failed attempts and canceled payments count as unpaid', async () => {
    const [declined, canceled] = [await start(url), await start(url)];
    await harness.pay(declined, 'pm_card_chargeDeclined').catch(() => undefined);
    await harness.sandbox.stripe.paymentIntents.cancel(
      String(canceled.body.client_secret).split('_secret_')[0]!,
    );
    await waitFor(async () =>
      (await harness.payments()).some(
        (one) => one.order_id === canceled.body.orderId && one.status === 'canceled',
      ),
    );
    expect(statuses([await start(url), await start(url)])).toEqual([200, 429]);
  });
});

test('a network is stored as a hash, until its payment is paid or ten minutes old', async () => {
  const [paid, left] = [await start(), await start()];
  const [hash] = await hashes([left]);
  expect(hash).toMatch(/^[\w-]{43}$/);
  expect(await hashes([paid])).toEqual([hash]);
  await pay([paid]);
  expect(await hashes([paid])).toEqual([null]);
  await runPeriodicJob(harness.query, 'payments', 'retention');
  expect(await hashes([left])).toEqual([hash]);
  minutes = 11;
  await runPeriodicJob(harness.query, 'payments', 'retention');
  minutes = 0;
  expect(await hashes([left])).toEqual([null]);
});
