import { FIXED_PACKAGES } from '@arboleda/contracts/packages.ts';
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { DEMO_CUSTOMER } from './accounts.ts';
import { DEMO_ORDERS } from './orders.ts';
import { PHOTOS } from './photos.ts';
import { DEMO_TRANSFERS } from './transfers.ts';

test('one transfer waits, one was approved, one was rejected; English and Spanish', () => {
  expect(DEMO_TRANSFERS.map(({ decision }) => decision.kind).toSorted()).toEqual([
    'approved',
    'rejected',
    'waits',
  ]);
  expect(new Set(DEMO_TRANSFERS.map(({ language }) => language))).toEqual(new Set(['en', 'es']));
});

test('every transfer has a receipt of its own that can be looked at', async () => {
  const receipts = DEMO_TRANSFERS.map(({ evidence }) => evidence);
  expect(new Set(receipts).size).toBe(receipts.length);
  for (const receipt of receipts) {
    const { format, height } = await sharp(fileURLToPath(new URL(receipt, PHOTOS))).metadata();
    expect([format, height]).toEqual(['jpeg', 1320]);
  }
});

test('orders and transfers can be told apart, and buy what is sold', () => {
  const all = [...DEMO_ORDERS, ...DEMO_TRANSFERS];
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  for (const { packageType, trees } of all) {
    if (packageType !== 'custom') expect(trees).toBe(FIXED_PACKAGES[packageType].trees);
  }
});

test('growth updates are bought by who can log in, for trees that are planted', () => {
  const growing = DEMO_ORDERS.filter(({ growth }) => growth);
  expect(growing.length).toBeGreaterThan(0);
  for (const { customer, until } of growing) {
    expect(customer.email).toBe(DEMO_CUSTOMER.email);
    expect(until).toBe('planted');
  }
});

test('the admin gives some of the money back, never all', () => {
  const refunds = DEMO_ORDERS.flatMap(({ trees, office }) =>
    office?.refund ? [office.refund.trees / trees] : [],
  );
  expect(refunds.length).toBeGreaterThan(0);
  for (const part of refunds) expect(part).toBeLessThan(1);
});
