import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decidePayment } from '../decisions/creation.ts';
import { openStore } from '../store.ts';
import { settleOld } from '../store/settle.ts';
import { adminView } from '../views/admin.ts';
import { assigned, minute, newOrderId, payment } from './builders.ts';
import { decideStep } from '../decisions/step.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

/** An order as the first version of this software kept it. */
function formerly(orderId: string) {
  const order = decidePayment(
    undefined,
    payment({ orderId, customer: { name: 'Vieja Ruiz' } }).data,
  )!.document;
  const { refunds: _r, refundedMinor: _m, isFullyRefunded: _f, disputes: _d, growth: _g, ...rest } = order;
  const { internalNotes: _n, version: _v, updatedAt: _u, ...former } = rest;
  return { ...former, emailKey: order.customer.email.toLowerCase() };
}

test('orders of a former version are read, listed and moved on at once, and found by words after the start', async () => {
  const documents = await platform.documents('orders');
  const former = await documents.collection<ReturnType<typeof formerly>>({ name: 'orders', indexes: [] });
  const ids = Array.from({ length: 5 }, newOrderId);
  for (const id of ids) await former.change(id, () => ({ document: formerly(id) }));

  const store = await openStore(documents);
  const listed = await store.page({ filter: {}, sort: 'newest', limit: 10 });
  expect(listed.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
  expect(adminView(listed[0]!)).toMatchObject({
    version: 1,
    updatedAt: minute(0),
    refunds: [],
    internalNotes: [],
  });
  const found = () => store.page({ filter: { q: 'vieja' }, sort: 'name', limit: 10 });
  expect(await found()).toEqual([]);

  // What is written is found, also before its turn has come.
  await store.orders.change(ids[0]!, (order) => decideStep(order, assigned(ids[0]!)));
  expect((await found()).map(({ _id }) => _id)).toEqual([ids[0]]);

  const settling = settleOld(store, openLogger('test', 'silent'));
  await waitFor(async () => (await found()).length === 5);
  await settling.stop();
  expect(await store.unsettled(10)).toEqual([]);
  expect((await store.orders.get(ids[0]!))!.statusRevision).toBe(1);
});
