import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { WEBHOOK_SECRET } from '@arboleda/stripe-sandbox/test/sandbox.ts';
import type { Answer } from '@arboleda/chassis/testing/request.ts';
import type { EventType } from '@arboleda/contracts/events/index.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { grove, type Harness, openHarness } from './harness.ts';
import { shown, webhooks } from './actions.ts';

/** pino's level for errors. */
const ERROR = 50;
const paying = { payment_method: 'pm_card_visa', return_url: 'https://arboleda.test/' };

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.door.set('open');
  await webhooks(harness, 'deliver');
});

const next = <Type extends PaymentEvent>(type: Type, { body }: Answer) =>
  harness.events.next(type, ({ data }) => data.orderId === body.orderId);
type PaymentEvent = Extract<EventType, 'payment.succeeded' | 'payment.failed'>;

const paymentOf = async ({ body }: Answer) =>
  (await harness.payments()).find((one) => one.order_id === body.orderId)!;
const statusOf = async (answer: Answer) => (await paymentOf(answer)).status;

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

/** Waits for an event of a later payment, so all earlier ones are published. */
async function settled(): Promise<void> {
  await webhooks(harness, 'deliver');
  const answer = await harness.checkout({ ...grove, trees: 1, packageType: 'individual' });
  await harness.pay(answer, 'pm_card_chargeDeclined').catch(() => undefined);
  await next('payment.failed', answer);
}

describe('a signed webhook that differs from Stripe’s documentation', () => {
  const event = (parts: object) => ({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    ...parts,
  });
  const about = (object: object) => event({ data: { object } });
  const intent = {
    object: 'payment_intent',
    id: 'pi_1',
    status: 'succeeded',
    currency: 'usd',
    amount_received: 2000,
    metadata: { paymentId: 'p' },
  };
  const refunded = {
    object: 'refund',
    id: 're_1',
    amount: 1,
    currency: 'usd',
    created: 1,
    status: 'succeeded',
    payment_intent: 'pi_1',
  };
  const disputed = {
    object: 'dispute',
    id: 'dp_1',
    amount: 1,
    currency: 'usd',
    created: 1,
    status: 'lost',
    reason: 'fraudulent',
    payment_intent: 'pi_1',
  };
  const session = { object: 'checkout.session', id: 'cs_1', payment_status: 'paid', amount_total: 1 };

  test.each<[string, unknown, string]>([
    ['has no id', event({ id: undefined, data: { object: {} } }), 'id'],
    ['has an id with a zero byte', event({ id: 'evt_\0', data: { object: {} } }), 'id'],
    ['has an id that is a number', event({ id: 7, data: { object: {} } }), 'id'],
    ['has no type', event({ type: undefined, data: { object: {} } }), 'type'],
    ['has no data', event({}), 'data'],
    ['has no object', event({ data: {} }), 'data.object'],
    ['has an object that is null', event({ data: { object: null } }), 'data.object'],
    ['has an object that is text', event({ data: { object: 'pi_1' } }), 'data.object'],
    [
      'is of an intent without what was received',
      about({ ...intent, amount_received: undefined }),
      'data.object.amount_received',
    ],
    [
      'is of an intent that received text',
      about({ ...intent, amount_received: '2000' }),
      'data.object.amount_received',
    ],
    [
      'is of an intent that received less than nothing',
      about({ ...intent, amount_received: -1 }),
      'data.object.amount_received',
    ],
    [
      'is of an intent that received a part of a cent',
      about({ ...intent, amount_received: 0.5 }),
      'data.object.amount_received',
    ],
    ['is of an intent without a currency', about({ ...intent, currency: undefined }), 'data.object.currency'],
    ['is of an intent without an id', about({ ...intent, id: undefined }), 'data.object.id'],
    ['is of an intent without a status', about({ ...intent, status: null }), 'data.object.status'],
    [
      'is of an intent with metadata that are no text',
      about({ ...intent, metadata: { paymentId: {} } }),
      'data.object.metadata.paymentId',
    ],
    [
      'is of an intent with a zero byte in its metadata',
      about({ ...intent, metadata: { paymentId: 'a\0' } }),
      'data.object.metadata.paymentId',
    ],
    [
      'is of an intent with a charge that has no time',
      about({ ...intent, latest_charge: { id: 'ch_1' } }),
      'data.object.latest_charge',
    ],
    ['is of a refund without an amount', about({ ...refunded, amount: undefined }), 'data.object.amount'],
    ['is of a refund without a currency', about({ ...refunded, currency: null }), 'data.object.currency'],
    ['is of a refund without a time', about({ ...refunded, created: undefined }), 'data.object.created'],
    ['is of a refund at the end of time', about({ ...refunded, created: 1e15 }), 'data.object.created'],
    ['is of a dispute without a status', about({ ...disputed, status: undefined }), 'data.object.status'],
    ['is of a dispute without an amount', about({ ...disputed, amount: 'all' }), 'data.object.amount'],
    ['is of a session without an id', about({ ...session, id: undefined }), 'data.object.id'],
    ['is of a session that cost text', about({ ...session, amount_total: '25' }), 'data.object.amount_total'],
    [
      'is of a charge without an id',
      { ...about({ object: 'charge' }), type: 'charge.updated' },
      'data.object.id',
    ],
  ])('because it %s is refused, and the field is named', async (_what, body, path) => {
    const raw = JSON.stringify(body);
    const answer = await harness.webhook(raw, sign(raw));
    expect(answer).toMatchObject({ status: 422, body: { type: 'validation-failed' } });
    expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
  });

  test.each(['', 'null', '[]', '"text"', '7', '{', '{}'])('%j is refused', async (raw) => {
    expect([400, 422]).toContain((await harness.webhook(raw, sign(raw))).status);
  });

  test('leaves its payment unchanged', async () => {
    const { answer, raw } = await paidWebhook({ amount_received: null });
    expect((await harness.webhook(raw, sign(raw))).status).toBe(422);
    const { id, status } = await paymentOf(answer);
    expect(status).toBe('open');
    expect(await shown(harness, id)).toMatchObject({ status: 'open' });
  });

  test('but only in its API version is taken, and alerts operators', async () => {
    const { answer, raw } = await paidWebhook();
    const old = raw.replace(Stripe.API_VERSION, '2020-08-27');
    expect((await harness.webhook(old, sign(old))).status).toBe(200);
    await next('payment.succeeded', answer);
    expect(harness.logs).toContainEqual(
      expect.objectContaining({ level: ERROR, version: '2020-08-27', expected: Stripe.API_VERSION }),
    );
    expect(await harness.metrics()).toMatch(
      /payments_webhooks_of_other_versions_total\{version="2020-08-27"[^}]*\} 1/,
    );
  });
});

test('webhooks that another secret signed are counted, and what strangers send is not', async () => {
  const raw = JSON.stringify({ id: 'evt_other' });
  const count = async () =>
    Number(/payments_webhooks_refused_total\{[^}]*\} (\d+)/.exec(await harness.metrics())?.[1] ?? 0);
  const before = await count();
  for (const signature of ['', 'v1=nonsense', 't=1,v1=nonsense'])
    expect((await harness.webhook(raw, signature)).status).toBe(400);
  expect(await count()).toBe(before);
  expect((await harness.webhook(raw, sign(raw, { secret: 'whsec_of_another_endpoint' }))).status).toBe(400);
  expect(await count()).toBe(before + 1);
});

describe('a signature', () => {
  test.each<[string, (raw: string) => string]>([
    ['by another secret', (raw) => sign(raw, { secret: 'whsec_somebody_else' })],
    ['of another body', (raw) => sign(`${raw} `)],
    ['of six minutes ago', (raw) => sign(raw, { ageSeconds: 360 })],
    ['of six minutes from now', (raw) => sign(raw, { ageSeconds: -360 })],
    ['of tomorrow', (raw) => sign(raw, { ageSeconds: -86_400 })],
    ['without a time', (raw) => sign(raw).replace(/t=\d+,/, '')],
    ['that is none', () => 'v1=nonsense'],
    ['that is missing', () => ''],
  ])('%s is refused and nothing changes', async (_what, signature) => {
    const { answer, raw } = await paidWebhook();
    const before = await harness.payments();
    const receipts = await harness.receipts();
    const refused = await harness.webhook(raw, signature(raw));
    expect(refused).toMatchObject({ status: 400, body: { type: 'signature-invalid' } });
    expect(await harness.payments()).toEqual(before);
    expect(await statusOf(answer)).toBe('open');
    expect(await harness.receipts()).toEqual(receipts);
  });

  test('of a sender whose clock is a minute ahead is good', async () => {
    const { raw } = await paidWebhook();
    expect((await harness.webhook(raw, sign(raw, { ageSeconds: -60 }))).status).toBe(200);
  });

  test('of four minutes ago is good', async () => {
    const { answer, raw } = await paidWebhook();
    expect((await harness.webhook(raw, sign(raw, { ageSeconds: 240 }))).status).toBe(200);
    expect(await statusOf(answer)).toBe('succeeded');
  });

  test('by either secret is good while one is being changed for the other', async () => {
    const rotating = await harness.start({
      stripe: {
        secretKey: 'sk_test_sandbox',
        publishableKey: 'pk_test_sandbox',
        webhookSecrets: ['whsec_new', 'whsec_old'],
        apiUrl: harness.door.url,
        scriptUrl: harness.sandbox.scriptUrl,
        detailWithinMs: 3_000,
      },
    });
    for (const secret of ['whsec_new', 'whsec_old']) {
      const { answer, raw } = await paidWebhook();
      expect((await harness.webhook(raw, sign(raw, { secret }), rotating.url)).status).toBe(200);
      expect(await statusOf(answer)).toBe('succeeded');
    }
  });

  test('under a body that is not JSON is no event', async () => {
    const refused = await harness.webhook('not json', sign('not json'));
    expect(refused).toMatchObject({ status: 400, body: { type: 'malformed-request' } });
  });
});

describe('an event that is not ours', () => {
  test('about an intent of another system is recorded and ignored', async () => {
    const intent = await harness.sandbox.stripe.paymentIntents.create({ amount: 500, currency: 'usd' });
    await harness.sandbox.stripe.paymentIntents.confirm(intent.id, paying);
    await waitFor(() =>
      harness.logs.some((one) => one.intentId === intent.id && one.msg === 'an intent that is not ours'),
    );
    await settled();
    expect(await harness.query('select from payments where intent_id = $1', [intent.id])).toEqual([]);
    expect(
      harness.events.all('payment.succeeded').filter(({ data }) => data.transactionId === intent.id),
    ).toEqual([]);
  });

  test('about an intent that names a payment but is not its own pays nothing', async () => {
    const answer = await harness.checkout();
    const payment = await paymentOf(answer);
    const intent = await harness.sandbox.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'usd',
      metadata: { paymentId: payment.id },
    });
    await harness.sandbox.stripe.paymentIntents.confirm(intent.id, paying);
    await waitFor(() =>
      harness.logs.some(({ result, intentId }) => result === 'not-ours' && intentId === intent.id),
    );
    expect(await statusOf(answer)).toBe('open');
  });

  test('of an unused type is answered and changes nothing, not even a receipt', async () => {
    const before = await harness.receipts();
    const raw = JSON.stringify({
      id: 'evt_of_no_concern',
      object: 'event',
      type: 'product.created',
      data: { object: { object: 'product' } },
    });
    for (const _time of [1, 2]) expect((await harness.webhook(raw, sign(raw))).status).toBe(200);
    expect(await harness.receipts()).toEqual(before);
  });
});
