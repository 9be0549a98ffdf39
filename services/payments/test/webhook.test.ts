import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { WEBHOOK_SECRET } from '@arboleda/stripe-sandbox/testing/sandbox.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { grove, type Harness, intentIdOf, openHarness } from './harness.ts';

/** pino's number for it. */
const ERROR = 50;
const paying = { payment_method: 'pm_card_visa', return_url: 'https://arboleda.test/' };

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

const mode = (mode: 'deliver' | 'hold' | 'lose') => harness.sandbox.control('PUT', '/webhooks', { mode });

function sign(raw: string, options: { secret?: string; ageSeconds?: number } = {}): string {
  const { secret = WEBHOOK_SECRET, ageSeconds = 0 } = options;
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
  return Stripe.webhooks.generateTestHeaderString({ payload: raw, secret, timestamp });
}

/** A paid intent's webhook as Stripe would send it, not sent yet. */
async function paidWebhook(change: object = {}) {
  await mode('lose');
  const answer = await harness.checkout();
  const object = await harness.pay(answer);
  const event = {
    id: `evt_${randomUUID()}`,
    object: 'event',
    api_version: Stripe.API_VERSION,
    type: 'payment_intent.succeeded',
    data: { object: { ...object, ...change } },
  };
  return { answer, raw: JSON.stringify(event) };
}

/** 2.9 % and 30 cents. */
const FEE = { feeMinor: 88, netMinor: 1912, currency: 'USD' };

/** What is known of a payment's charge, and when it is to be looked up. */
const chargeOf = async ({ body }: { body: { orderId: string } }) =>
  (
    await harness.query<{ charge: object | null; due: Date | null }>(
      'select charge, charge_due_at as due from payments where order_id = $1',
      [body.orderId],
    )
  )[0];

const statusOf = async (orderId: string) =>
  (await harness.payments()).find((one) => one.order_id === orderId)?.status;

describe('a payment that Stripe reports as paid', () => {
  test('is told once, with its card and everything an order needs', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer);
    const event = await harness.events.next('payment.succeeded');
    expect(event.key).toBe(answer.body.orderId);
    expect(event.data).toEqual({
      orderId: answer.body.orderId,
      orderToken: answer.body.orderToken,
      paymentId: expect.any(String),
      paymentMethod: 'stripe',
      transactionId: intentIdOf(answer),
      trees: 5,
      packageType: 'grove',
      amountMinor: 2000,
      currency: 'USD',
      customer: { name: 'Ana García', email: 'ana@arboleda.test' },
      language: 'es',
      paidAt: expect.stringMatching(/^\d{4}-.*Z$/),
      card: { brand: 'visa', last4: '4242' },
    });
    expect(await statusOf(answer.body.orderId)).toBe('succeeded');
    expect(await harness.metrics()).toMatch(
      /payments_sightings_total\{by="webhook",result="succeeded"[^}]*\} 1/,
    );
    expect(await harness.metrics()).toMatch(/payments\{status="succeeded",service="payments"\} [1-9]/);
    expect(JSON.stringify(harness.logs)).not.toMatch(/García|ana@/i);
  });

  test('twenty times at once is told once', async () => {
    const { raw } = await paidWebhook();
    const answers = await Promise.all(Array.from({ length: 20 }, () => harness.webhook(raw, sign(raw))));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers[0]!.body).toEqual({ received: true });
    await harness.events.next('payment.succeeded');
    await settled();
    expect(harness.events.all('payment.succeeded')).toHaveLength(1);
    expect((await harness.receipts()).filter(({ type }) => type === 'payment_intent.succeeded')).toHaveLength(
      1,
    );
  });

  test('at two replicas at once is told once', async () => {
    const replica = await harness.start();
    const { raw } = await paidWebhook();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => harness.webhook(raw, sign(raw), i % 2 ? replica.url : undefined)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await harness.events.next('payment.succeeded');
    await settled();
    expect(harness.events.all('payment.succeeded')).toHaveLength(1);
    expect((await harness.receipts()).filter(({ type }) => type === 'payment_intent.succeeded')).toHaveLength(
      1,
    );
  });

  test('by two events of different ids is told once', async () => {
    const { raw } = await paidWebhook();
    const other = raw.replace(/evt_[\w-]+/, 'evt_other');
    for (const one of [raw, other]) expect((await harness.webhook(one, sign(one))).status).toBe(200);
    await harness.events.next('payment.succeeded');
    await settled();
    expect(harness.events.all('payment.succeeded')).toHaveLength(1);
  });

  test('has its fee with the success, and nothing is looked up again, where Stripe has settled it by then', async () => {
    const { answer, raw } = await paidWebhook();
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    expect(await chargeOf(answer)).toEqual({ charge: expect.objectContaining({ fee: FEE }), due: null });
  });

  test('has its fee soon after where Stripe had not settled it', async () => {
    const created = Math.floor(Date.now() / 1000);
    const { answer, raw } = await paidWebhook({
      latest_charge: { id: 'ch_1', created, balance_transaction: null },
    });
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    await waitFor(async () => (await chargeOf(answer))?.due === null);
    expect((await chargeOf(answer))?.charge).toMatchObject({ fee: FEE });
  });

  test('is told without the card when the card cannot be looked up', async () => {
    const { raw } = await paidWebhook();
    harness.door.set('shut');
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    expect((await harness.events.next('payment.succeeded')).data).not.toHaveProperty('card');
  });
});

/** Another payment's event after ours: whatever was to be published before it has come. */
async function settled(): Promise<void> {
  await mode('deliver');
  const answer = await harness.checkout({ ...grove, trees: 1, packageType: 'individual' });
  await harness.pay(answer, 'pm_card_chargeDeclined').catch(() => undefined);
  await harness.events.next('payment.failed', ({ data }) => data.orderId === answer.body.orderId);
}

describe('an amount that is not what was asked', () => {
  test.each([
    ['less', { amount_received: 1999 }],
    ['more', { amount_received: 200_000 }],
    ['another currency', { currency: 'cop' }],
  ])('(%s) is no order, and operators see it', async (_what, change) => {
    const { answer, raw } = await paidWebhook(change);
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    await settled();
    expect(await statusOf(answer.body.orderId)).toBe('mismatched');
    expect(harness.events.all('payment.succeeded')).toHaveLength(0);
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ level: ERROR, msg: 'paid is not what was asked' }),
    );
    expect(await harness.metrics()).toMatch(
      /payments_sightings_total\{by="webhook",result="mismatched"[^}]*\} 1/,
    );
  });

  test('stays no order when Stripe says so again', async () => {
    const { answer, raw } = await paidWebhook({ amount_received: 1 });
    await harness.webhook(raw, sign(raw));
    const right = raw
      .replace(/evt_[\w-]+/, 'evt_right')
      .replace('"amount_received":1', '"amount_received":2000');
    await harness.webhook(right, sign(right));
    expect(await statusOf(answer.body.orderId)).toBe('mismatched');
  });
});

describe('a payment that fails', () => {
  test('is told with its reason, and a later success still wins', async () => {
    const answer = await harness.checkout();
    await expect(harness.pay(answer, 'pm_card_chargeDeclinedInsufficientFunds')).rejects.toThrow();
    const failed = await harness.events.next('payment.failed');
    expect(failed.data).toMatchObject({ orderId: answer.body.orderId, reason: 'insufficient_funds' });
    expect(await statusOf(answer.body.orderId)).toBe('open');
    await harness.pay(answer);
    expect((await harness.events.next('payment.succeeded')).data.orderId).toBe(answer.body.orderId);
  });

  test('wins nothing when its webhook comes after the success', async () => {
    await mode('hold');
    const answer = await harness.checkout();
    await expect(harness.pay(answer, 'pm_card_chargeDeclined')).rejects.toThrow();
    await harness.pay(answer);
    await harness.sandbox.control('POST', '/webhooks/release', { order: 'reversed' });
    await harness.events.next('payment.succeeded');
    expect(await statusOf(answer.body.orderId)).toBe('succeeded');
    expect(harness.events.all('payment.failed')).toHaveLength(0);
  });

  test('and is canceled stays so', async () => {
    const answer = await harness.checkout();
    await harness.sandbox.stripe.paymentIntents.cancel(intentIdOf(answer));
    await waitFor(async () => (await statusOf(answer.body.orderId)) === 'canceled');
  });
});

describe('a signature', () => {
  test.each<[string, (raw: string) => string]>([
    ['by another secret', (raw) => sign(raw, { secret: 'whsec_somebody_else' })],
    ['of another body', (raw) => sign(`${raw} `)],
    ['of six minutes ago', (raw) => sign(raw, { ageSeconds: 360 })],
    ['without a time', (raw) => sign(raw).replace(/t=\d+,/, '')],
    ['that is none', () => 'v1=nonsense'],
    ['that is missing', () => ''],
  ])('%s is refused and nothing changes', async (_what, signature) => {
    const { answer, raw } = await paidWebhook();
    const before = await harness.payments();
    const refused = await harness.webhook(raw, signature(raw));
    expect(refused).toMatchObject({ status: 400, body: { type: 'signature-invalid' } });
    expect(await harness.payments()).toEqual(before);
    expect(await statusOf(answer.body.orderId)).toBe('open');
    expect(await harness.receipts()).toEqual([]);
  });

  test('of four minutes ago is good', async () => {
    const { answer, raw } = await paidWebhook();
    expect((await harness.webhook(raw, sign(raw, { ageSeconds: 240 }))).status).toBe(200);
    expect(await statusOf(answer.body.orderId)).toBe('succeeded');
  });

  test('by either secret is good while one is being changed for the other', async () => {
    const rotating = await harness.start({
      stripe: {
        secretKey: 'sk_test_sandbox',
        publishableKey: 'pk_test_sandbox',
        webhookSecrets: ['whsec_new', 'whsec_old'],
        apiUrl: harness.door.url,
        scriptUrl: harness.sandbox.scriptUrl,
      },
    });
    for (const secret of ['whsec_new', 'whsec_old']) {
      const { answer, raw } = await paidWebhook();
      expect((await harness.webhook(raw, sign(raw, { secret }), rotating.url)).status).toBe(200);
      expect(await statusOf(answer.body.orderId)).toBe('succeeded');
    }
  });

  test('under a body that is not JSON is no event', async () => {
    const refused = await harness.webhook('not json', sign('not json'));
    expect(refused).toMatchObject({ status: 400, body: { type: 'malformed-request' } });
  });
});

describe('what is not ours', () => {
  test('an intent that somebody else made is taken note of, and ignored', async () => {
    const intent = await harness.sandbox.stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    await harness.sandbox.stripe.paymentIntents.confirm(intent.id, paying);
    await waitFor(async () =>
      (await harness.receipts()).some(({ type }) => type === 'payment_intent.succeeded'),
    );
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ intentId: intent.id, msg: 'an intent that is not ours' }),
    );
    expect(await harness.payments()).toEqual([]);
    expect(harness.events.all('payment.succeeded')).toEqual([]);
  });

  test('an intent that borrows a payment’s name pays nothing', async () => {
    const answer = await harness.checkout();
    const [payment] = await harness.payments();
    const intent = await harness.sandbox.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      metadata: { paymentId: payment!.id },
    });
    await harness.sandbox.stripe.paymentIntents.confirm(intent.id, paying);
    await waitFor(() =>
      harness.logs.some(({ result, intentId }) => result === 'stranger' && intentId === intent.id),
    );
    expect(await statusOf(answer.body.orderId)).toBe('open');
  });

  test('an event of no concern is answered, taken note of, and changes nothing', async () => {
    const raw = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'product.created',
      data: { object: { object: 'product' } },
    });
    for (const _time of [1, 2]) expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    expect(await harness.receipts()).toMatchObject([
      { id: 'evt_1', type: 'product.created', payment_id: null },
    ]);
  });
});
