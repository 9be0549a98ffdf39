import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { grove, type Harness, intentIdOf, openHarness } from './harness.ts';
import { aPaidPayment, type PaidPayment, refund, shown } from './shop.ts';

let harness: Harness;
let paid: PaidPayment;
let open: { orderId: string; paymentId: string };
let declined: { orderId: string };
beforeAll(async () => {
  harness = await openHarness();
  paid = await aPaidPayment(harness);
  const answer = await harness.checkout({
    ...grove,
    customerName: 'Luis_Mesa 100%',
    customerEmail: 'luis@arboleda.test',
  });
  const [row] = (await harness.payments()).filter((one) => one.order_id === answer.body.orderId);
  open = { orderId: answer.body.orderId, paymentId: row!.id };
  const other = await harness.checkout({ ...grove, customerEmail: 'eva@arboleda.test' });
  await harness.pay(other, 'pm_card_chargeDeclined').catch(() => undefined);
  declined = other.body;
  await harness.events.next('payment.failed');
});
afterAll(() => harness.close());

const list = async (query: Record<string, string | number> = {}) =>
  (await harness.admin('GET /api/admin/payments', { query })).body;
const idsOf = (page: { payments: { orderId: string }[] }) => page.payments.map(({ orderId }) => orderId);

describe('an admin reads payments', () => {
  test('newest first, in pages', async () => {
    const first = await list({ limit: 2 });
    expect(paymentsEndpoints['GET /api/admin/payments'].response!.parse(first)).toEqual(first);
    expect(idsOf(first)).toEqual([declined.orderId, open.orderId]);
    const second = await list({ limit: 2, cursor: first.nextCursor });
    expect(idsOf(second)).toEqual([paid.orderId]);
    expect(second).not.toHaveProperty('nextCursor');
  });

  test.each<[string, () => Record<string, string>, () => string[]]>([
    ['a status', () => ({ status: 'succeeded' }), () => [paid.orderId]],
    ['part of a name, as it stands', () => ({ q: 's_mesa 100%' }), () => [open.orderId]],
    ['a sign that stands for nothing else', () => ({ q: 's%mesa' }), () => []],
    ['an address', () => ({ q: 'LUIS@arboleda' }), () => [open.orderId]],
    ['a short id', () => ({ q: paid.orderId.slice(-6).toUpperCase() }), () => [paid.orderId]],
    ['Stripe’s id', () => ({ q: paid.intentId }), () => [paid.orderId]],
    ['days before', () => ({ to: '2020-01-01T00:00:00Z' }), () => []],
    ['days to come', () => ({ from: '2999-01-01T00:00:00Z' }), () => []],
    ['a year that calendars leave out', () => ({ to: '0000-01-01T00:00:00Z' }), () => []],
    ['words of different fields', () => ({ q: 'luis@arboleda.test luis' }), () => []],
  ])('by %s', async (_what, query, found) => {
    expect(idsOf(await list(query()))).toEqual(found());
  });

  test.each([
    ['cursor', 'nonsense', 'invalid'],
    ['cursor', Buffer.from('["2026","x"]').toString('base64url'), 'invalid'],
    ['status', 'paid', 'unknown-value'],
    ['from', 'yesterday', 'invalid'],
    ['q', 'a\u0000', 'invalid'],
    ['limit', '0', 'too-small'],
  ])('but not with %s = %j', async (path, value, type) => {
    const answer = await harness.admin('GET /api/admin/payments', { query: { [path]: value } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path, type }] } });
  });

  test('one, by its id and by its order, with its fee once Stripe has settled it', async () => {
    const byId = await waitFor(async () => {
      const payment = await shown(harness, paid.paymentId);
      return payment.fee && payment;
    });
    expect(byId).toMatchObject({
      paymentId: paid.paymentId,
      orderId: paid.orderId,
      shortId: paid.orderId.slice(-6).toUpperCase(),
      status: 'succeeded',
      paymentMethod: 'stripe',
      transactionId: paid.intentId,
      amount: 2000,
      refundedAmount: 0,
      isDisputed: false,
      card: { brand: 'visa', last4: '4242' },
      // 2.9 % and 30 cents.
      fee: { amount: 88, currency: 'USD', netAmount: 1912 },
      quote: { id: 'quote-1', rate: 1, ratesAsOf: '2026-11-20' },
      refunds: [],
      disputes: [],
      photoPackages: [],
    });
    const answer = await harness.admin('GET /api/admin/orders/{id}/payment', {
      params: { id: paid.orderId },
    });
    expect(answer.body).toEqual({ payment: byId });
    expect(paymentsEndpoints['GET /api/admin/payments/{id}'].response!.parse(answer.body)).toEqual(
      answer.body,
    );
  });

  test('why the last attempt failed', async () => {
    const { body } = await harness.admin('GET /api/admin/orders/{id}/payment', {
      params: { id: declined.orderId },
    });
    expect(body.payment).toMatchObject({ status: 'open', failureReason: 'generic_decline' });
  });

  test('nothing where there is none', async () => {
    for (const id of ['7b0d4c0e-9d6c-4d8e-8d0b-5b7f6f1f6a01', 'x']) {
      expect((await harness.admin('GET /api/admin/payments/{id}', { params: { id } })).status).toBe(404);
    }
    const params = { id: '0123456789abcdef01234567' };
    expect((await harness.admin('GET /api/admin/orders/{id}/payment', { params })).status).toBe(404);
  });
});

describe('a transfer that was approved', () => {
  let transfer: { id: string; orderId: string };
  beforeAll(async () => {
    transfer = { id: '11111111-2222-4333-8444-555555555555', orderId: 'aaaaaaaaaaaaaaaaaaaaaaaa' };
    await harness.query(
      `insert into transfers (id, order_id, order_token, request_hash, package_type, trees, amount_minor, currency, quote,
         customer, language, reference, state, created_at, decided_at)
       values ($1, $2, 'AbCdEfGhIjKlMnOpQrStUv', '', 'grove', 5, 8230000, 'COP', $3, $4, 'es', 'M-77', $5, now(), now())`,
      [
        transfer.id,
        transfer.orderId,
        { id: 'quote-2', rate: 4115, ratesAsOf: '2026-11-20' },
        { name: 'Ana García', email: 'ana@arboleda.test' },
        { status: 'approved', approval: { by: { role: 'admin' }, at: '2026-11-22T00:00:00Z' } },
      ],
    );
  });

  test('is among the payments', async () => {
    expect((await list({ q: 'M-77' })).payments).toMatchObject([
      { paymentId: transfer.id, paymentMethod: 'manual_bancolombia', status: 'succeeded', amount: 8_230_000 },
    ]);
  });

  test('goes back by hand, which is noted and told', async () => {
    const before = harness.door.requests.length;
    const answer = await refund(harness, transfer.id, { amount: 4_000_000, reason: 'sent back by Nequi' });
    expect(answer).toMatchObject({
      status: 201,
      body: { refund: { method: 'by_hand', status: 'succeeded' } },
    });
    const { data } = await harness.events.next(
      'payment.refunded',
      (event) => event.data.orderId === transfer.orderId,
    );
    expect(data).toMatchObject({
      amountMinor: 4_000_000,
      currency: 'COP',
      isFull: false,
      by: { name: 'Lucía' },
    });
    expect(harness.door.requests).toHaveLength(before);
    expect(await refund(harness, transfer.id, { amount: 4_230_001, reason: 'more' })).toMatchObject({
      status: 422,
    });
    expect((await refund(harness, transfer.id)).body.refund.amount).toBe(4_230_000);
  });
});

describe('a person who changes', () => {
  const customerOf = async (orderId: string) =>
    (await harness.payments()).find((one) => one.order_id === orderId)!.customer;
  const updated = (orderId: string, customer: { name: string; email: string }, at: string) =>
    harness.tell({
      type: 'order.updated',
      data: {
        ...{
          orderId,
          trees: 5,
          amountMinor: 2000,
          currency: 'USD',
          customer,
          language: 'es',
          changed: ['customer'],
        },
        ...{ by: { role: 'admin' }, at },
      },
    });

  test('is known here as orders knows them; what comes late changes nothing', async () => {
    const { orderId } = await aPaidPayment(harness);
    const next = { name: 'Ana María', email: 'anamaria@arboleda.test' };
    await updated(orderId, next, '2030-01-02T00:00:00.000Z');
    await waitFor(async () => (await customerOf(orderId)).email === next.email);
    await updated(orderId, { name: 'Old', email: 'old@arboleda.test' }, '2030-01-01T00:00:00.000Z');
    const erased = { name: '—', email: 'erased@arboleda.invalid' };
    await updated(open.orderId, erased, '2030-01-01T00:00:00.000Z');
    await waitFor(async () => (await customerOf(open.orderId)).email === erased.email);
    expect(await customerOf(orderId)).toEqual(next);
  });

  test('is forgotten for good, even when somebody changed the order before that was heard of', async () => {
    const { orderId, paymentId } = await aPaidPayment(harness);
    await waitFor(async () => (await shown(harness, paymentId)).fee);
    await harness.query(
      `update payments set charge = charge || '{"receiptUrl":"https://pay.stripe.test/r"}' where id = $1`,
      [paymentId],
    );
    const next = { name: 'Ana María', email: 'anamaria@arboleda.test' };
    await updated(orderId, next, '2030-01-02T00:00:00.000Z');
    await waitFor(async () => (await customerOf(orderId)).email === next.email);
    await updated(orderId, { name: '—', email: 'erased@arboleda.invalid' }, '2030-01-01T00:00:00.000Z');
    await waitFor(async () => (await customerOf(orderId)).email === 'erased@arboleda.invalid');
    const [kept] = await harness.query('select * from payments where id = $1', [paymentId]);
    expect(kept).toMatchObject({ locale: null, request_hash: '', amount_minor: '2000' });
    // Stripe's page shows whose card it was.
    expect(JSON.stringify(kept)).not.toMatch(/receiptUrl/);
    expect((await shown(harness, paymentId)).fee).toBeDefined();
  });

  test('who comes again under a forgotten address is somebody new', async () => {
    const email = 'again@arboleda.test';
    const erasedAt = (at: string, accountId: string) =>
      harness.tell({ type: 'customer.erased', data: { accountId, email, ordersToo: true, at } });
    const again = await harness.checkout({ ...grove, customerEmail: email });
    const other = await harness.checkout({ ...grove, customerEmail: 'before@arboleda.test' });
    await erasedAt('2020-01-01T00:00:00.000Z', 'a-2');
    await updated(other.body.orderId, { name: 'B', email: 'b@arboleda.test' }, '2030-01-01T00:00:00.000Z');
    await waitFor(async () => (await customerOf(other.body.orderId)).email === 'b@arboleda.test');
    expect((await customerOf(again.body.orderId)).email).toBe(email);
    await erasedAt('2030-01-01T00:00:00.000Z', 'a-3');
    await waitFor(async () => (await customerOf(again.body.orderId)).email === 'erased@arboleda.invalid');
  });

  test('is forgotten where nothing was bought; what was bought follows its order', async () => {
    const email = 'forget@arboleda.test';
    const bought = await aPaidPayment(harness, { ...grove, customerEmail: email });
    const left = await harness.checkout({ ...grove, customerEmail: email });
    const erase = (ordersToo: boolean, accountId: string) =>
      harness.tell({
        type: 'customer.erased',
        data: { accountId, email, ordersToo, at: '2030-01-01T00:00:00.000Z' },
      });
    await erase(false, 'a-stranger');
    await erase(true, 'a-1');
    await waitFor(async () => (await customerOf(left.body.orderId)).email === 'erased@arboleda.invalid');
    expect(await customerOf(left.body.orderId)).toEqual({ name: '—', email: 'erased@arboleda.invalid' });
    expect((await customerOf(bought.orderId)).email).toBe(email);
    expect(intentIdOf(left)).toMatch(/^pi_/);
  });
});
