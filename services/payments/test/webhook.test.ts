import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { WEBHOOK_SECRET } from '@arboleda/stripe-sandbox/test/sandbox.ts';
import type { Answer } from '@arboleda/chassis/testing/request.ts';
import type { EventType } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import Stripe from 'stripe';
import { openCharges } from '../cards/charges.ts';
import { grove, type Harness, intentIdOf, openHarness, QUIET, quoteOf } from './harness.ts';
import {
  aPaidPayment,
  isTold,
  reconcile,
  refund,
  settleAtStripe,
  shown,
  sendWebhook,
  webhooks,
} from './actions.ts';

/** pino's level for errors. */
const ERROR = 50;

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ reconcile: { ...QUIET, chargesIntervalMs: 100 } });
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'deliver');
});

const next = <Type extends PaymentEvent>(type: Type, { body }: Answer) =>
  harness.events.next(type, ({ data }) => data.orderId === body.orderId);
const all = <Type extends PaymentEvent>(type: Type, { body }: Answer) =>
  harness.events.all(type).filter(({ data }) => data.orderId === body.orderId);
type PaymentEvent = Extract<EventType, 'payment.succeeded' | 'payment.failed'>;

const paymentOf = async ({ body }: Answer) =>
  (await harness.payments()).find((one) => one.order_id === body.orderId)!;
const statusOf = async (answer: Answer) => (await paymentOf(answer)).status;
const statusIs = (answer: Answer, status: string) => waitFor(async () => (await statusOf(answer)) === status);
const receiptsOf = async (answer: Answer, type: string) => {
  const { id } = await paymentOf(answer);
  return (await harness.receipts()).filter((one) => one.type === type && one.payment_id === id);
};

function sign(raw: string, options: { secret?: string; ageSeconds?: number } = {}): string {
  const { secret = WEBHOOK_SECRET, ageSeconds = 0 } = options;
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
  return Stripe.webhooks.generateTestHeaderString({ payload: raw, secret, timestamp });
}

/** The webhook of a paid intent, not sent yet. */
async function paidWebhook(change: object = {}) {
  await webhooks(harness, 'lose');
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

/** Stripe's 2.9 % and 30 cents. */
const FEE = { feeMinor: 88, netMinor: 1912, currency: 'USD' };

/** The stored charge of a payment, and when its next lookup is due. */
const chargeOf = async ({ body }: { body: { orderId: string } }) =>
  (
    await harness.query<{ charge: object | null; due: Date | null }>(
      'select charge, charge_due_at as due from payments where order_id = $1',
      [body.orderId],
    )
  )[0];

describe('a webhook that changes nothing', () => {
  const tell = async (type: string, object: object) => {
    const id = `evt_${randomUUID()}`;
    const raw = JSON.stringify({
      id,
      object: 'event',
      api_version: Stripe.API_VERSION,
      type,
      data: { object },
    });
    const { status } = await harness.webhook(raw, sign(raw));
    const isRecorded = (await harness.receipts()).some((one) => one.id === id);
    return { status, isRecorded };
  };

  test('leaves a receipt only if the reconciler would ask for it again', async () => {
    await webhooks(harness, 'lose');
    const answer = await harness.checkout();
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentIdOf(answer));
    expect(await tell('payment_intent.created', intent)).toEqual({ status: 200, isRecorded: false });
    expect(await statusOf(answer)).toBe('open');
    const paid = await harness.pay(answer);
    const charge = { id: 'ch_1', object: 'charge', payment_intent: paid.id };
    expect(await tell('charge.succeeded', charge)).toEqual({ status: 200, isRecorded: false });
    const foreign = { ...paid, id: `pi_${randomUUID()}`, metadata: {} };
    expect(await tell('payment_intent.succeeded', foreign)).toEqual({ status: 200, isRecorded: true });
    expect(await statusOf(answer)).toBe('open');
  });
});

describe('a payment that Stripe reports as paid', () => {
  test('is published once, with its card and everything an order needs', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer);
    const event = await next('payment.succeeded', answer);
    expect(event.key).toBe(answer.body.orderId);
    expect(event.data).toEqual({
      orderId: answer.body.orderId,
      paymentId: expect.any(String),
      method: { kind: 'card' },
      transactionId: intentIdOf(answer),
      trees: 5,
      packageType: 'grove',
      amountMinor: 2000,
      currency: 'USD',
      customer: { name: 'Ana García', email: 'ana@arboleda.test', country: 'US' },
      language: 'es',
      paidAt: expect.stringMatching(/^\d{4}-.*Z$/),
      card: { brand: 'visa', last4: '4242' },
    });
    expect(await statusOf(answer)).toBe('succeeded');
    expect(await harness.metrics()).toMatch(
      /payments_sightings_total\{by="webhook",result="succeeded"[^}]*\} [1-9]/,
    );
    expect(await harness.metrics()).toMatch(/payments\{status="succeeded",service="payments"\} [1-9]/);
    expect(JSON.stringify(harness.logs)).not.toMatch(/García|ana@/i);
  });

  test('twenty times at once is published once', async () => {
    const { answer, raw } = await paidWebhook();
    const answers = await Promise.all(Array.from({ length: 20 }, () => harness.webhook(raw, sign(raw))));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers[0]!.body).toEqual({ received: true });
    await next('payment.succeeded', answer);
    await settled();
    expect(all('payment.succeeded', answer)).toHaveLength(1);
    expect(await receiptsOf(answer, 'payment_intent.succeeded')).toHaveLength(1);
  });

  test('at two replicas at once is published once', async () => {
    const replica = await harness.start();
    const { answer, raw } = await paidWebhook();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => harness.webhook(raw, sign(raw), i % 2 ? replica.url : undefined)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await next('payment.succeeded', answer);
    await settled();
    expect(all('payment.succeeded', answer)).toHaveLength(1);
    expect(await receiptsOf(answer, 'payment_intent.succeeded')).toHaveLength(1);
  });

  test('by two events with different ids is published once', async () => {
    const { answer, raw } = await paidWebhook();
    const other = raw.replace(/evt_[\w-]+/, `evt_${randomUUID()}`);
    for (const one of [raw, other]) expect((await harness.webhook(one, sign(one))).status).toBe(200);
    await next('payment.succeeded', answer);
    await settled();
    expect(all('payment.succeeded', answer)).toHaveLength(1);
  });

  test('has its fee at once if Stripe has settled it, without another lookup', async () => {
    const { answer, raw } = await paidWebhook();
    await settleAtStripe(harness, intentIdOf(answer));
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    expect(await chargeOf(answer)).toEqual({ charge: expect.objectContaining({ fee: FEE }), due: null });
  });

  test('is looked up once more when Stripe settles it during a lookup', async () => {
    const { answer } = await aPaidPayment(harness);
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const due = (at: Date) =>
      harness.query('update payments set charge = null, charge_due_at = $2 where order_id = $1', [
        answer.body.orderId,
        at,
      ]);
    const settled = inHours(1);
    await waitFor(async () => (await chargeOf(answer))!.due!.getTime() > Date.now() + 60_000);
    await due(inHours(0.5));
    const query = async (text: string, values: unknown[] = []) => ({
      rows: await harness.query(text, values),
    });
    const charges = openCharges({
      sql: { query, prepared: query } as never,
      provider: {
        async lookUp(intentId) {
          if (intentId === intentIdOf(answer)) await due(settled);
          return {} as never;
        },
      },
      clock: () => inHours(0.75),
      logger: pino({ level: 'silent' }),
    });
    await charges.lookUpDue();
    expect((await chargeOf(answer))!.due).toEqual(settled);
  });

  test('gets its fee soon after, if Stripe settles it meanwhile', async () => {
    const created = Math.floor(Date.now() / 1000);
    const { answer, raw } = await paidWebhook({
      latest_charge: { id: 'ch_1', created, balance_transaction: null },
    });
    await settleAtStripe(harness, intentIdOf(answer));
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    await waitFor(async () => (await chargeOf(answer))?.due === null);
    expect((await chargeOf(answer))?.charge).toMatchObject({ fee: FEE });
  });

  test('gets its fee when Stripe reports the charge as settled, in the payout currency', async () => {
    const quote = await quoteOf({ currency: 'COP', rate: 4115 });
    const { paymentId, orderId, intentId } = await aPaidPayment(harness, {
      ...grove,
      currency: 'COP',
      quote,
    });
    // It was looked up at once; the next lookup is in an hour.
    await waitFor(async () => (await chargeOf({ body: { orderId } }))!.due!.getTime() > Date.now() + 60_000);
    expect(await shown(harness, paymentId)).not.toHaveProperty('fee');
    await settleAtStripe(harness, intentId);
    await waitFor(async () => (await shown(harness, paymentId)).fee);
    expect(await shown(harness, paymentId)).toMatchObject({
      amount: 8_230_000,
      currency: 'COP',
      fee: { amount: 111, currency: 'USD', netAmount: 1947, exchangeRate: 0.00025 },
    });
    expect((await chargeOf({ body: { orderId } }))!.due).toBeNull();
  });

  test('gets its fee without a webhook, as the reconciler reads Stripe’s events', async () => {
    const { paymentId, orderId, intentId } = await aPaidPayment(harness);
    await waitFor(async () => (await chargeOf({ body: { orderId } }))!.due!.getTime() > Date.now() + 60_000);
    await webhooks(harness, 'lose');
    await settleAtStripe(harness, intentId);
    await reconcile(harness);
    await waitFor(async () => (await shown(harness, paymentId)).fee);
    expect((await shown(harness, paymentId)).fee).toMatchObject({ amount: 88, currency: 'USD' });
  });

  test('is published without the card when the card cannot be looked up', async () => {
    const { answer, raw } = await paidWebhook();
    harness.door.set('shut');
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    expect((await next('payment.succeeded', answer)).data).not.toHaveProperty('card');
  });
});

/** Waits for an event of a later payment, so all earlier ones are published. */
async function settled(): Promise<void> {
  await webhooks(harness, 'deliver');
  const answer = await harness.checkout({ ...grove, trees: 1, packageType: 'individual' });
  await harness.pay(answer, 'pm_card_chargeDeclined').catch(() => undefined);
  await next('payment.failed', answer);
}

describe('an amount that differs from the purchase', () => {
  test.each([
    ['less', { amount_received: 1999 }],
    ['more', { amount_received: 200_000 }],
    ['another currency', { currency: 'cop' }],
  ])('(%s) makes no order, and alerts operators', async (_what, change) => {
    const { answer, raw } = await paidWebhook(change);
    expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    await settled();
    expect(await statusOf(answer)).toBe('mismatched');
    expect(all('payment.succeeded', answer)).toHaveLength(0);
    expect(harness.logs).toContainEqual(
      expect.objectContaining({
        level: ERROR,
        msg: 'paid is not what was asked',
        paymentId: (await paymentOf(answer)).id,
      }),
    );
    expect(await harness.metrics()).toMatch(
      /payments_sightings_total\{by="webhook",result="mismatched"[^}]*\} [1-9]/,
    );
  });

  test('makes no order when Stripe reports it again', async () => {
    const { answer, raw } = await paidWebhook({ amount_received: 1 });
    await harness.webhook(raw, sign(raw));
    const right = raw
      .replace(/evt_[\w-]+/, `evt_${randomUUID()}`)
      .replace('"amount_received":1', '"amount_received":2000');
    await harness.webhook(right, sign(right));
    expect(await statusOf(answer)).toBe('mismatched');
  });
});

describe('a payment that fails', () => {
  test('is published with its reason, and a later success still wins', async () => {
    const answer = await harness.checkout();
    await expect(harness.pay(answer, 'pm_card_chargeDeclinedInsufficientFunds')).rejects.toThrow();
    const failed = await next('payment.failed', answer);
    expect(failed.data).toMatchObject({ reason: 'insufficient_funds' });
    expect(await statusOf(answer)).toBe('open');
    await harness.pay(answer);
    await next('payment.succeeded', answer);
  });

  test('changes nothing when its webhook comes after the success', async () => {
    await webhooks(harness, 'hold');
    const answer = await harness.checkout();
    await expect(harness.pay(answer, 'pm_card_chargeDeclined')).rejects.toThrow();
    await harness.pay(answer);
    await harness.sandbox.control('POST', '/webhooks/release', { order: 'reversed' });
    await next('payment.succeeded', answer);
    expect(await statusOf(answer)).toBe('succeeded');
    expect(all('payment.failed', answer)).toHaveLength(0);
  });

  test('and is canceled stays canceled', async () => {
    const answer = await harness.checkout();
    await harness.sandbox.stripe.paymentIntents.cancel(intentIdOf(answer));
    await statusIs(answer, 'canceled');
  });
});

const settle = (answer: Answer, outcome: 'succeeded' | 'failed') =>
  harness.sandbox.control('POST', `/payment_intents/${intentIdOf(answer)}/settle`, { outcome });

describe('a payment that', () => {
  test('takes its time is processing, then paid', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer, 'pm_card_processing');
    await statusIs(answer, 'processing');
    await settle(answer, 'succeeded');
    await next('payment.succeeded', answer);
  });

  test('takes its time and fails can be retried', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer, 'pm_card_processing');
    await statusIs(answer, 'processing');
    await settle(answer, 'failed');
    await next('payment.failed', answer);
    await statusIs(answer, 'open');
    await harness.pay(answer);
    await next('payment.succeeded', answer);
  });

  test.each([
    ['succeeded', 'succeeded'],
    ['failed', 'open'],
  ])('asks for authentication waits for it, and %s when it has', async (outcome, status) => {
    const answer = await harness.checkout();
    await harness.pay(answer, 'pm_card_authenticationRequired');
    await waitFor(() => isTold(harness, intentIdOf(answer), 'payment_intent.requires_action'));
    expect(await statusOf(answer)).toBe('open');
    await harness.sandbox.browser('POST', `/payment_intents/${intentIdOf(answer)}/authenticate`, {
      client_secret: answer.body.client_secret,
      outcome,
    });
    if (outcome === 'succeeded') await next('payment.succeeded', answer);
    else await next('payment.failed', answer);
    expect(await statusOf(answer)).toBe(status);
  });

  test('was canceled and is paid after all counts', async () => {
    const answer = await harness.checkout();
    const intent = await harness.sandbox.stripe.paymentIntents.retrieve(intentIdOf(answer));
    await sendWebhook(harness, 'payment_intent.canceled', { ...intent, status: 'canceled' });
    await statusIs(answer, 'canceled');
    await harness.pay(answer);
    await next('payment.succeeded', answer);
  });

  test('is found without a webhook counts once, and its late webhooks count as processed', async () => {
    const answer = await harness.checkout();
    await webhooks(harness, 'lose');
    const intent = await harness.pay(answer);
    const { events } = await harness.sandbox.control('GET', `/events?object=${intent.id}`);
    expect(events.length).toBeGreaterThan(0);
    await reconcile(harness);
    await next('payment.succeeded', answer);
    expect(await receiptsOf(answer, 'payment_intent.succeeded')).toHaveLength(1);
    await reconcile(harness);
    expect(await receiptsOf(answer, 'payment_intent.succeeded')).toHaveLength(1);
  });

  test('has another amount can be refunded, and makes no order', async () => {
    await webhooks(harness, 'lose');
    const answer = await harness.checkout();
    const intent = await harness.pay(answer);
    await sendWebhook(harness, 'payment_intent.succeeded', { ...intent, amount_received: 1500 });
    const { id, status } = await paymentOf(answer);
    expect(status).toBe('mismatched');
    expect(await shown(harness, id)).toMatchObject({
      amount: 2000,
      received: { amount: 1500, currency: 'USD' },
    });
    expect((await refund(harness, id)).body.refund).toMatchObject({ amount: 1500, status: 'succeeded' });
    await webhooks(harness, 'deliver');
    const other = await aPaidPayment(harness);
    await refund(harness, other.paymentId);
    await harness.events.next('payment.refunded', ({ data }) => data.paymentId === other.paymentId);
    expect(harness.events.all('payment.refunded').filter(({ data }) => data.paymentId === id)).toEqual([]);
  });

  test('is slow and fails is open again, even when the events arrive in reverse or by the reconciler', async () => {
    await webhooks(harness, 'hold');
    const [late, lost] = [await harness.checkout(), await harness.checkout()];
    for (const answer of [late, lost]) {
      await harness.pay(answer, 'pm_card_processing');
      await harness.sandbox.control('POST', `/payment_intents/${intentIdOf(answer)}/settle`, {
        outcome: 'failed',
      });
    }
    const { data } = await harness.sandbox.stripe.events.list({ limit: 100 });
    const events = data
      .filter((event) => (event.data.object as { id?: string }).id === intentIdOf(late))
      .map(({ id }) => id);
    // Newest first: the decline, then that it was processing.
    await harness.sandbox.control('POST', '/webhooks/release', { events });
    await harness.sandbox.control('POST', '/webhooks/lose', {});
    expect(await statusOf(late)).toBe('open');
    await reconcile(harness);
    expect(await statusOf(lost)).toBe('open');
  });
});
