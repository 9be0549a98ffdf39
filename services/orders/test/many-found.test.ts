import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decidePayment } from '../decisions/creation.ts';
import { decideStep } from '../decisions/step.ts';
import { everyOrder } from '../listing/pages.ts';
import { openStore, type OrderStore } from '../store.ts';
import { assigned, payment } from './builders.ts';

const COUNTED_TO = 5;

let platform: TestPlatform;
let store: OrderStore;
beforeAll(async () => {
  platform = await openTestPlatform();
  store = await openStore(await platform.documents('orders'), () => new Date(), COUNTED_TO);
  const buy = async (name: string, isAssigned = false) => {
    const { data } = payment({ customer: { name, email: 'buyer@mail.test' } });
    const { document } = decidePayment(undefined, data)!;
    const order = isAssigned ? decideStep(document, assigned(data.orderId))!.document : document;
    await store.orders.change(data.orderId, () => ({ document: order }));
  };
  for (let n = 0; n < COUNTED_TO; n++) await buy('María Ruiz');
  await buy('María Zea', true);
  await buy('Ana Ruiz');
});
afterAll(() => platform.close());

test('more than are counted of what words find are told as at least so many', async () => {
  const { counts, countsAtLeast } = await store.counts({ q: 'maria', status: 'assigned' });
  expect(countsAtLeast).toBe(true);
  expect(counts.all).toBe(COUNTED_TO);
  expect(counts.pending).toBeGreaterThanOrEqual(COUNTED_TO);
  expect(counts.assigned).toBeLessThanOrEqual(1);
});

test('as many as are counted are counted exactly', async () => {
  expect(await store.counts({ q: 'maria ruiz' })).toEqual({
    counts: { all: COUNTED_TO, pending: COUNTED_TO, assigned: 0, planted: 0, completed: 0 },
  });
});

test.each([{}, { q: ' , ' }, { from: '2020-01-01' }])(
  'all are counted exactly when no words are sought: %p',
  async (filter) => {
    expect(await store.counts(filter)).toEqual({
      counts: { all: COUNTED_TO + 2, pending: COUNTED_TO + 1, assigned: 1, planted: 0, completed: 0 },
    });
  },
);

test('pages lead on behind what was counted, each order once', async () => {
  const seen: string[] = [];
  for await (const { _id } of everyOrder(store, { filter: { q: 'maria' }, sort: 'newest' }, 2))
    seen.push(_id);
  expect(seen).toHaveLength(COUNTED_TO + 1);
  expect(new Set(seen).size).toBe(COUNTED_TO + 1);
});
