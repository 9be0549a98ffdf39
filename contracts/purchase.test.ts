import { expect, test } from '@jest/globals';
import { shopEndpoints } from './endpoints/payments/shop.ts';
import { customerOrder, listedOrder } from './endpoints/orders/views.ts';
import { transfersEndpoints } from './endpoints/transfers.ts';
import { EVENTS } from './events/index.ts';
import { details, published, publishedOf, type Purchase, purchaseRequest } from './purchase.ts';

const fieldsOf = ({ shape }: { shape: object }) => Object.keys(shape);

test('both ways to pay ask a buyer for the same, and a transfer for more', () => {
  const card = shopEndpoints['POST /api/pricing/create-payment-intent'].body;
  const transfer = transfersEndpoints['POST /api/manual-payments/create-order'].body;
  expect(fieldsOf(card)).toEqual(fieldsOf(purchaseRequest));
  expect(fieldsOf(transfer)).toEqual(expect.arrayContaining(fieldsOf(purchaseRequest)));
});

test.each(['payment.submitted', 'payment.succeeded'] as const)('%s carries all of a purchase', (type) => {
  expect(fieldsOf(EVENTS[type].data)).toEqual(expect.arrayContaining(fieldsOf(published)));
});

test('no event carries the token that opens the order, nor what only payments reads', () => {
  const purchase: Purchase = {
    orderId: '0'.repeat(24),
    paymentId: 'p-1',
    orderToken: 'A'.repeat(22),
    packageType: 'grove',
    trees: 5,
    amountMinor: 2000,
    currency: 'USD',
    quote: { id: 'q-1', rate: 1, ratesAsOf: '2026-11-20' },
    customer: { name: 'Ana García', email: 'ana@arboleda.test' },
    language: 'es',
    locale: 'es-CO',
  };
  const sent = publishedOf(purchase);
  expect(published.strict().parse(sent)).toEqual(sent);
  expect(fieldsOf(published)).not.toEqual(expect.arrayContaining(['orderToken']));
});

test('what a buyer adds is optional, and is theirs and an admin’s to read', () => {
  for (const [name, field] of Object.entries<{ safeParse(value: unknown): { success: boolean } }>(details))
    expect([name, field.safeParse(undefined).success]).toEqual([name, true]);
  for (const view of [customerOrder, listedOrder])
    expect(fieldsOf(view)).toEqual(expect.arrayContaining(Object.keys(details)));
});
