import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import Stripe from 'stripe';
import { isPassing, isRefusal, IN_REQUEST, readStripe, stripeEvent } from '../stripe.ts';
import type { Purchase } from '@arboleda/contracts/purchase.ts';

export interface Intent {
  intentId: string;
  /** Lets the browser confirm the payment. Never stored. */
  clientSecret: string;
}

/** The part of Stripe's API that card payments need. */
export interface CardProvider {
  /**
   * Creates the intent of a payment, or returns the existing one: the idempotency key is derived from the
   * payment.
   * @throws Problem
   */
  createIntent(purchase: Purchase): Promise<Intent>;
  findIntent(intentId: string): Promise<Intent>;
  /** The current intent with its charge and balance transaction. @throws Stripe's errors */
  lookUp(intentId: string, deadlineMs?: number): Promise<Stripe.PaymentIntent>;
  /**
   * Cancels an intent unless it is paid.
   * @returns the intent as it is now; `unknown` when Stripe does not have it. @throws Stripe's errors
   */
  cancel(intentId: string): Promise<Stripe.PaymentIntent | 'unknown'>;
  /**
   * Verifies and parses a webhook.
   * @throws Problem `signature-invalid` unless one of our secrets signed it in the last five minutes;
   * `malformed-request`, `validation-failed` when it is no event
   */
  readEvent(rawBody: Buffer, signature: string, receivedAt: Date): Stripe.Event;
}

const WEBHOOK_TOLERANCE_SECONDS = 300;

export function cardProvider(stripe: Stripe, webhookSecrets: readonly string[]): CardProvider {
  const lookUp: CardProvider['lookUp'] = (intentId, deadlineMs) =>
    stripe.paymentIntents.retrieve(
      intentId,
      { expand: ['latest_charge.balance_transaction'] },
      deadlineMs ? { timeout: deadlineMs, maxNetworkRetries: 0 } : undefined,
    );
  return {
    async createIntent(purchase) {
      const intent = await stripe.paymentIntents
        .create(intentParameters(purchase), {
          idempotencyKey: `payment-${purchase.paymentId}`,
          ...IN_REQUEST,
        })
        .catch(refuse);
      return named(intent);
    },
    findIntent: async (intentId) =>
      named(await stripe.paymentIntents.retrieve(intentId, undefined, IN_REQUEST).catch(refuse)),
    lookUp,
    async cancel(intentId) {
      try {
        return await stripe.paymentIntents.cancel(intentId, { cancellation_reason: 'abandoned' });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // Otherwise it was paid or canceled already.
        return error.code === 'resource_missing' ? 'unknown' : lookUp(intentId);
      }
    },
    readEvent: (rawBody, signature, receivedAt) => readEvent(webhookSecrets, rawBody, signature, receivedAt),
  };
}

const intentParameters = (purchase: Purchase): Stripe.PaymentIntentCreateParams => ({
  amount: toStripeAmount(purchase.amountMinor, purchase.currency),
  currency: purchase.currency.toLowerCase(),
  automatic_payment_methods: { enabled: true },
  description: `Arboleda ${shortId(purchase.orderId)}: ${purchase.trees} ${purchase.trees === 1 ? 'tree' : 'trees'}`,
  metadata: { paymentId: purchase.paymentId, orderId: purchase.orderId },
});

function named(intent: Stripe.PaymentIntent): Intent {
  if (!intent.client_secret) throw new Problem('payment-provider-failed', { detail: 'no client secret' });
  return { intentId: intent.id, clientSecret: intent.client_secret };
}

/** Maps Stripe's errors to a Problem: unavailable, amount refused, or a conflict of ours. */
function refuse(cause: unknown): never {
  if (!(cause instanceof Stripe.errors.StripeError)) throw cause;
  if (cause.code === 'amount_too_large') throw fieldProblem('trees', 'above-card-limit');
  if (cause.code === 'amount_too_small') throw fieldProblem('trees', 'too-small');
  if (isPassing(cause)) throw new Problem('unavailable', { cause, retryAfterSeconds: 5 });
  throw new Problem('payment-provider-failed', { cause });
}

function readEvent(
  secrets: readonly string[],
  rawBody: Buffer,
  signature: string,
  receivedAt: Date,
): Stripe.Event {
  let fault: unknown;
  // Stripe's own check accepts timestamps in the future.
  const latestS = receivedAt.getTime() / 1000 + WEBHOOK_TOLERANCE_SECONDS;
  const signedAt = [...signature.matchAll(/(?:^|,)\s*t=(\d+)/g)].map(([, seconds]) => Number(seconds));
  if (signedAt.some((seconds) => seconds > latestS)) throw new Problem('signature-invalid');
  for (const secret of secrets) {
    try {
      const event = Stripe.webhooks.constructEvent(
        rawBody,
        signature,
        secret,
        WEBHOOK_TOLERANCE_SECONDS,
        undefined,
        receivedAt.getTime(),
      );
      readStripe(stripeEvent, event);
      return event;
    } catch (error) {
      if (error instanceof Problem) throw error;
      fault = error;
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) break;
    }
  }
  const isForged = fault instanceof Stripe.errors.StripeSignatureVerificationError;
  throw new Problem(isForged ? 'signature-invalid' : 'malformed-request', { cause: fault });
}
