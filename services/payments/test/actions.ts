import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { WEBHOOK_SECRET } from '@arboleda/stripe-sandbox/test/sandbox.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { type Harness, intentIdOf } from './harness.ts';

export interface PaidPayment {
  paymentId: string;
  orderId: string;
  intentId: string;
  answer: Answer;
}

/** A paid grove for Ana, after its event was published. */
export async function aPaidPayment(harness: Harness, body?: object): Promise<PaidPayment> {
  const answer = await harness.checkout(body);
  await harness.pay(answer);
  const orderId = String(answer.body.orderId);
  const { data } = await harness.events.next('payment.succeeded', (event) => event.data.orderId === orderId);
  return { paymentId: data.paymentId, orderId, intentId: intentIdOf(answer), answer };
}

export const refund = (
  harness: Harness,
  paymentId: string,
  body: object = { reason: 'changed their mind' },
  key?: string,
): Promise<Answer> =>
  harness.admin('POST /api/admin/payments/{id}/refunds', {
    params: { id: paymentId },
    body,
    headers: key ? { 'Idempotency-Key': key } : {},
  });

export const refundPackage = (
  harness: Harness,
  purchaseId: string,
  body: object = { reason: 'changed their mind' },
): Promise<Answer> =>
  harness.admin('POST /api/admin/photo-packages/{id}/refunds', { params: { id: purchaseId }, body });

/** Refunds and disputes that an admin has to handle. */
export const attention = async (harness: Harness) =>
  (await harness.admin('GET /api/admin/money/attention')).body;

export const shown = async (harness: Harness, paymentId: string) =>
  (await harness.admin('GET /api/admin/payments/{id}', { params: { id: paymentId } })).body.payment;

/** Creates the balance transaction of a payment's charge at Stripe. @returns the charge */
export async function settleAtStripe(harness: Harness, intentId: string) {
  const { latest_charge: charge } = await harness.sandbox.stripe.paymentIntents.retrieve(intentId);
  return harness.sandbox.control('POST', `/charges/${String(charge)}/settle`);
}

export const webhooks = (harness: Harness, mode: 'deliver' | 'hold' | 'lose') =>
  harness.sandbox.control('PUT', '/webhooks', { mode });

/** Whether the service has answered the webhook of an object. */
export async function isTold(harness: Harness, objectId: string, type: string): Promise<boolean> {
  const { deliveries } = await harness.sandbox.control('GET', `/events?object=${objectId}`);
  return deliveries.some(
    (one: { type: string; state: string }) => one.type === type && one.state === 'delivered',
  );
}

export const sign = (payload: string): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });

/** Sends a webhook for a state that the sandbox cannot produce itself. */
export async function sendWebhook(harness: Harness, type: string, object: object): Promise<Answer> {
  const raw = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    api_version: Stripe.API_VERSION,
    type,
    data: { object },
  });
  return harness.webhook(raw, sign(raw));
}

export async function reconcile(harness: Harness): Promise<void> {
  const id = randomUUID();
  await harness.query(
    `insert into reconciliations (id, since, asked_at) values ($1, now() - interval '1 hour', now())`,
    [id],
  );
  await harness.platform.jobs('payments').enqueue([{ name: 'compare-with-stripe', payload: { id } }]);
  await waitFor(
    async () =>
      (await harness.query('select 1 from reconciliations where id = $1 and ended_at is not null', [id]))
        .length > 0,
  );
}

export async function payOnPage(harness: Harness, checkoutUrl: string, card = '4242424242424242') {
  const answer = await fetch(`${checkoutUrl}/intent`, { method: 'POST' });
  const { clientSecret } = (await answer.json()) as { clientSecret: string };
  const [id] = clientSecret.split('_secret_');
  return harness.sandbox.browser('POST', `/payment_intents/${id}/confirm`, {
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2034',
  });
}
