import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { paymentsEndpoints } from '@arboleda/contracts/endpoints/payments.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { grove, type Harness, openHarness, QUIET } from './harness.ts';
import { aPaidPayment, refund, settleAtStripe, shown, type PaidPayment } from './actions.ts';

let harness: Harness;
let paid: PaidPayment;
let open: { orderId: string; paymentId: string };
let declined: { orderId: string };
/** Excludes payments that other tests make later. */
let until: string;
beforeAll(async () => {
  harness = await openHarness({ reconcile: { ...QUIET, chargesIntervalMs: 100 } });
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
  until = new Date().toISOString();
});
afterAll(() => harness.close());

const list = async (query: Record<string, string | number> = {}) =>
  (await harness.admin('GET /api/admin/payments', { query: { to: until, ...query } })).body;
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
    ['a sign that stands for nothing else', () => ({ q: 'lu%arboleda' }), () => []],
    ['a name without its signs', () => ({ q: 'smesa' }), () => [open.orderId]],
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

  test('one, by its id or its order, with its fee once Stripe has settled it', async () => {
    await settleAtStripe(harness, paid.intentId);
    const byId = await waitFor(async () => {
      const payment = await shown(harness, paid.paymentId);
      return payment.fee && payment;
    });
    expect(byId).toMatchObject({
      paymentId: paid.paymentId,
      orderId: paid.orderId,
      shortId: paid.orderId.slice(-6).toUpperCase(),
      status: 'succeeded',
      method: { kind: 'card' },
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

  test('with the reason of the last failed attempt', async () => {
    const { body } = await harness.admin('GET /api/admin/orders/{id}/payment', {
      params: { id: declined.orderId },
    });
    expect(body.payment).toMatchObject({ status: 'open', failureReason: 'generic_decline' });
  });

  test('with “not found” for an unknown id', async () => {
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
      `insert into transfers (id, order_id, order_token, bank, request_hash, package_type, trees, amount_minor, currency,
         quote, customer, language, reference, state, created_at, decided_at)
       values ($1, $2, 'AbCdEfGhIjKlMnOpQrStUv', 'bancolombia', '', 'grove', 5, 8230000, 'COP', $3, $4, 'es', 'M-77', $5, now(), now())`,
      [
        transfer.id,
        transfer.orderId,
        { id: 'quote-2', rate: 4115, ratesAsOf: '2026-11-20' },
        { name: 'Ana García', email: 'ana@arboleda.test' },
        { status: 'approved', approval: { by: { role: 'admin' }, at: '2026-11-22T00:00:00Z' } },
      ],
    );
  });

  test('is listed among the payments', async () => {
    expect((await list({ q: 'M-77', to: '2999-01-01T00:00:00Z' })).payments).toMatchObject([
      {
        paymentId: transfer.id,
        method: { kind: 'transfer', bank: 'bancolombia' },
        status: 'succeeded',
        amount: 8_230_000,
      },
    ]);
  });

  test('is refunded by hand, which is noted and published', async () => {
    const before = harness.door.requests.length;
    const answer = await refund(harness, transfer.id, { amount: 4_000_000, reason: 'sent back by Nequi' });
    expect(answer).toMatchObject({
      status: 201,
      body: { refund: { method: 'hand', status: 'succeeded' } },
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

/** PostgreSQL's plan for a large table. */
async function planOf(query: string): Promise<string> {
  const pool = openPool(harness.platform.databaseUrl, pino({ level: 'silent' }), {
    max: 1,
    name: 'plans',
    schema: 'payments',
  });
  try {
    await pool.query('set enable_seqscan = off');
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain ${query}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await pool.end();
  }
}

const payments = (where: string) =>
  `select * from all_payments p where ${where} order by p.created_at desc, p.id desc limit 26`;

test.each([
  ['the newest payments', payments('true'), ['payments_created_at', 'transfers_by_age']],
  [
    'payments of a status',
    payments(`p.status = 'submitted'`),
    ['payments_by_status', 'transfers_by_payment_status'],
  ],
  ['payments by words', payments(`p.words like any(array['%garc%'])`), ['payments_words', 'transfers_words']],
  [
    'sessions that are open',
    `select id from package_purchases where status in ('open', 'processing') and updated_at <= now()`,
    ['package_purchases_unsettled'],
  ],
  [
    'webhooks of a payment that goes',
    `select 1 from only stripe_events x where payment_id = 'p'`,
    ['stripe_events_payment'],
  ],
])('%s are found without reading everything', async (_what, query, indexes) => {
  const plan = await planOf(query);
  for (const index of indexes) expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan');
});
