import { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refundPackage } from './actions.ts';
import { type Harness, openHarness } from './harness.ts';
import { packageHarness } from './package-harness.ts';

let harness: Harness;
let packages: ReturnType<typeof packageHarness>;
beforeAll(async () => {
  harness = await openHarness();
  packages = packageHarness(harness);
});
afterAll(() => harness.close());

const list = async (query: Record<string, string | number> = {}) =>
  (await harness.admin('GET /api/admin/photo-packages', { query })).body;

const idsOf = (page: { photoPackages: { purchaseId: string }[] }) =>
  page.photoPackages.map(({ purchaseId }) => purchaseId);

test('an admin lists the photo packages that were paid, latest first, by day and in pages', async () => {
  const first = await packages.sold('price_first_year');
  const second = await packages.sold('price_three_year');
  // Not paid, so not listed.
  const unpaid = await packages.sold();
  await harness.query(`update package_purchases set status = 'surplus' where id = $1`, [unpaid.purchaseId]);

  const all = await list();
  expect(paymentsEndpoints['GET /api/admin/photo-packages'].response!.parse(all)).toEqual(all);
  expect(idsOf(all)).toEqual([second.purchaseId, first.purchaseId]);
  expect(all.photoPackages[1]).toMatchObject({
    paymentId: first.paymentId,
    orderId: first.orderId,
    photoPackageType: 'first_year',
    status: 'active',
    amount: 1500,
    currency: 'USD',
    refundedAmount: 0,
  });

  const page = await list({ limit: 1 });
  expect(idsOf(page)).toEqual([second.purchaseId]);
  expect(idsOf(await list({ limit: 1, cursor: page.nextCursor }))).toEqual([first.purchaseId]);

  const boundary = all.photoPackages[0].purchasedAt;
  expect(idsOf(await list({ from: boundary }))).toEqual([second.purchaseId]);
  expect(idsOf(await list({ to: boundary }))).toEqual([first.purchaseId]);

  await refundPackage(harness, first.purchaseId, { amount: 500, reason: 'a visit less' });
  expect((await list()).photoPackages[1]).toMatchObject({
    purchaseId: first.purchaseId,
    refundedAmount: 500,
  });
});

test.each([
  ['cursor', 'nonsense'],
  ['from', 'yesterday'],
])('refuses %s = %j by the field’s name', async (path, value) => {
  const answer = await harness.admin('GET /api/admin/photo-packages', { query: { [path]: value } });
  expect(answer).toMatchObject({ status: 422, body: { errors: [{ path, type: 'invalid' }] } });
});
