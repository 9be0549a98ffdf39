import { expect } from '@jest/globals';
import { openClient } from '@arboleda/contracts/client.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { DEMO_ADMIN } from '@arboleda/cli/demo/accounts.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../harness/wait.ts';
import { openDriver, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import type { Addresses } from '../harness/product.ts';

/** People who look and buy all the time. */
export interface Traffic {
  /** Whoever buys, in this traffic alone. */
  email: string;
  paid: StartedPayment[];
  /** Calls to the product, and those that did not succeed, in words. */
  calls: number;
  failures: string[];
}

const CAUGHT_UP_WITHIN_MS = 120_000;
const LOOKERS = 2;
const BUYERS = 1;
/** Often enough that every second of every service is seen, and no more: two cores have all engines to run beside it. */
const LOOK_EVERY_MS = 100;
const BUY_EVERY_MS = 1_000;
/** Far below what the workers of the demo can take on. */
const TREES = 1;
/** One of each service and the gateway's own; who is not logged in hears so, which is an answer. */
const LOOKS = [
  '/',
  '/plant-trees',
  '/api/pricing/dynamic?countryCode=CO',
  '/api/stats',
  '/api/customers/orders',
  '/api/auth/customer/verify',
  '/api/workers/assignments',
  '/api/photos/none.jpg',
];

/**
 * Works among traffic, which ends with it.
 * @param orderSoon whether orders are to be visible at once: not while the broker is away.
 * @returns what there was, all that was begun being over
 */
export async function amongTraffic(
  at: Addresses,
  { orderSoon = true },
  work: (traffic: Traffic) => Promise<void>,
): Promise<Traffic> {
  const driver = openDriver(at);
  const traffic: Traffic = {
    email: `traffic-${randomUUID()}@mail.test`,
    paid: [],
    calls: 0,
    failures: [],
  };
  let stopped = false;

  const attempt = async (what: string, call: () => Promise<void>) => {
    traffic.calls++;
    await call().catch((error: unknown) => {
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? '';
      traffic.failures.push(`${what}: ${String(error)} ${cause}`);
    });
  };
  const look = async () => {
    for (let turn = 0; !stopped; turn++) {
      const path = LOOKS[turn % LOOKS.length]!;
      await attempt(`GET ${path}`, async () => {
        await answered(`${at.url}${path}`);
      });
      await sleep(LOOK_EVERY_MS);
    }
  };
  const buy = async () => {
    while (!stopped) {
      await attempt('buying', async () => {
        const payment = await driver.start(traffic.email, { trees: TREES });
        await driver.pay(payment.client_secret);
        traffic.paid.push(payment);
      });
      const last = traffic.paid.at(-1);
      if (orderSoon && last) {
        await attempt('GET /api/track/{token}', () => answered(`${at.url}/api/track/${last.orderToken}`));
      }
      await sleep(BUY_EVERY_MS);
    }
  };
  const everybody = [...Array.from({ length: LOOKERS }, look), ...Array.from({ length: BUYERS }, buy)];
  try {
    await work(traffic);
  } finally {
    stopped = true;
    await Promise.all(everybody);
  }
  return traffic;
}

/** Waits until each payment's order is to be seen, and looks whether there are others. */
export async function expectOneOrderEach(at: Addresses, { paid, email }: Traffic): Promise<void> {
  const driver = openDriver(at);
  for (const { orderId, orderToken } of paid) {
    await waitFor(`order ${shortId(orderId)}`, () => driver.isVisible(orderToken), CAUGHT_UP_WITHIN_MS);
  }
  const call = openClient(at.url, { signal: AbortSignal.timeout(120_000) });
  const { token } = await call('POST /api/auth/admin/login', {
    body: { email: DEMO_ADMIN.email, password: at.demoPassword },
  });
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { q: email, limit: 100, ...(cursor && { cursor }) };
    const page = await call('GET /api/admin/orders/manage', { token, query });
    found.push(...page.orders.map(({ _id }) => _id));
    cursor = page.nextCursor;
  } while (cursor);
  expect(found.sort()).toEqual(paid.map(({ orderId }) => orderId).sort());
}

/** @throws when the product did not do its part. */
async function answered(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status >= 500) throw new Error(`${response.status} ${text}`);
}
