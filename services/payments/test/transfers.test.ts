import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { FORM } from '../transfers/test/transfers.ts';
import { jpeg } from '../transfers/test/pictures.ts';
import { type Harness, openHarness } from './harness.ts';

// Image decoding is slow on a busy machine.
jest.setTimeout(60_000);

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

async function send(): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...FORM, referenceNumber: 'M123456' }))
    form.append(name, value);
  form.append('evidenceFiles', new File([(await jpeg()) as never], 'pago.jpg', { type: 'image/jpeg' }));
  const { status, body } = await request(harness.url, 'POST /api/manual-payments/create-order', { form });
  expect(status).toBe(201);
  return body.orderId;
}

const paymentOf = async (id: string) =>
  (await harness.admin('GET /api/admin/orders/{id}/payment', { params: { id } })).body.payment;

describe('a transfer among the payments', () => {
  test('is submitted, then paid under its reference', async () => {
    const id = await send();
    expect(await paymentOf(id)).toMatchObject({
      orderId: id,
      method: { kind: 'transfer', bank: 'bancolombia' },
      status: 'submitted',
      amount: 8_230_000,
      currency: 'COP',
      transactionId: 'M123456',
    });
    await harness.admin('POST /api/admin/manual-payments/verify/{id}', { params: { id } });
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', paidAt: expect.any(String) });
  });

  test('is rejected, with its reason', async () => {
    const id = await send();
    const reason = 'No money came';
    await harness.admin('POST /api/admin/manual-payments/reject/{id}', { params: { id }, body: { reason } });
    expect(await paymentOf(id)).toMatchObject({ status: 'rejected', failureReason: reason });
    const token = await harness.identity.serviceToken('auth', 'payments');
    const log = await request(harness.url, 'GET /internal/payments/audit-log', {
      query: { object: id },
      token,
    });
    expect(log.body.rows).toMatchObject([{ service: 'payments', orderId: id, withheld: ['reason'] }]);
  });

  test('is refunded up to what came in', async () => {
    const id = await send();
    await harness.admin('POST /api/admin/manual-payments/verify/{id}', {
      params: { id },
      body: { amountReceived: 8_000_000, note: 'The bank kept a fee' },
    });
    const { paymentId, received } = await paymentOf(id);
    expect(received).toEqual({ amount: 8_000_000, currency: 'COP' });
    const key = { 'Idempotency-Key': 'all-that-came' };
    const refund = (body: object, headers = {}) =>
      harness.admin('POST /api/admin/payments/{id}/refunds', { params: { id: paymentId }, body, headers });
    expect(await refund({ amount: 8_000_001, reason: 'too much' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'amount', type: 'too-big' }] },
    });
    for (const _time of [1, 2]) {
      expect((await refund({ reason: 'changed their mind' }, key)).body.refund).toMatchObject({
        amount: 8_000_000,
        method: 'hand',
        status: 'succeeded',
      });
    }
    const { data } = await harness.events.next('payment.refunded', (one) => one.data.orderId === id);
    expect(data).toMatchObject({ amountMinor: 8_000_000, refundedMinor: 8_000_000, isFull: true });
    expect(await harness.metrics()).toMatch(/payments_refunds_total\{status="succeeded"[^}]*\} 1\n/);
  });

  test('erases its buyer with orders; card payments of others stay', async () => {
    const id = await send();
    const card = await harness.checkout();
    await harness.publish({
      type: 'order.updated',
      data: {
        orderId: id,
        trees: 5,
        amountMinor: 8_230_000,
        currency: 'COP',
        customer: { ...ERASED_CUSTOMER },
        language: 'es',
        changed: ['customer'],
        by: { role: 'system' },
        at: '2026-11-22T12:00:00.000Z',
      },
    });
    await waitFor(async () => (await paymentOf(id)).customerEmail === ERASED_CUSTOMER.email);
    expect((await paymentOf(card.body.orderId)).customerEmail).toBe('ana@arboleda.test');
  });

  test('stores its files in a bucket that only payments reads', async () => {
    const id = await send();
    const [row] = await harness.query<{ id: string }>('select id from transfers where order_id = $1', [id]);
    const objects = await harness.platform.objects('payments');
    expect(await objects.info(`evidence/${row!.id}/0/view.jpg`)).toMatchObject({ contentType: 'image/jpeg' });
    const others = await harness.platform.objects('media');
    expect(await others.info(`evidence/${row!.id}/0/view.jpg`)).toBeUndefined();
  });
});
