import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { fromStripeAmount } from '@arboleda/contracts/money.ts';
import { CARD } from '@arboleda/contracts/payment-method.ts';
import { type Purchase, publishedOf } from '@arboleda/contracts/purchase.ts';
import { readStripe, type StripeCharge, stripeCharge, type StripeIntent, stripeIntent } from '../stripe.ts';

export interface Card {
  brand: string;
  last4: string;
}

/** Why the last attempt failed. The buyer may try again on the same intent. */
interface Failure {
  attemptId: string;
  reason: string;
}

export type PaymentState =
  | { status: 'open'; intentId: string; failure?: Failure | undefined }
  | { status: 'processing'; intentId: string; failure?: Failure | undefined }
  | { status: 'succeeded'; intentId: string; paidAt: string; card?: Card | undefined }
  | { status: 'canceled'; intentId: string; canceledAt: string }
  /** The amount or currency paid differs from the purchase. Never an order; an admin has to look at it. */
  | { status: 'mismatched'; intentId: string; noticedAt: string; received: Amount };

export interface Amount {
  amountMinor: number;
  currency: string;
}

export interface Payment {
  purchase: Purchase;
  state: PaymentState;
  /** Incremented with each change of the state. */
  revision: number;
}

/** The state of an intent at Stripe, from a webhook, an API answer or the reconciler. */
export type IntentSnapshot = { intentId: string } & (
  | { outcome: 'waiting' }
  | { outcome: 'processing' }
  | { outcome: 'canceled' }
  | { outcome: 'failed'; failure: Failure }
  | {
      outcome: 'succeeded';
      received: Amount;
      card?: Card | undefined;
      paidAt?: string | undefined;
      /** Absent until Stripe has settled the charge. */
      charge?: ChargeFacts | undefined;
    }
);

export type Decision =
  | { kind: 'changed'; state: PaymentState; events: NewEvent[]; charge?: ChargeFacts | undefined }
  /** `settled`: the state is final; `not-ours`: the intent belongs to another payment. */
  | { kind: 'ignored'; why: 'settled' | 'not-ours' | 'no-news' };

const ignored = (why: 'settled' | 'not-ours' | 'no-news'): Decision => ({ kind: 'ignored', why });
const changed = (state: PaymentState, events: NewEvent[] = [], charge?: ChargeFacts): Decision => ({
  kind: 'changed',
  state,
  events,
  charge,
});

/** Final states. `canceled` is not among them: a success that Stripe reports always counts. */
const isSettled = (
  state: PaymentState,
): state is Extract<PaymentState, { status: 'succeeded' | 'mismatched' }> =>
  state.status === 'succeeded' || state.status === 'mismatched';

/**
 * Applies a snapshot to a payment. Snapshots may be repeated, late and out of order: a success wins over
 * everything, a cancellation wins over open states, and each failed attempt is published once.
 */
export function observe(payment: Payment, snapshot: IntentSnapshot, now: string): Decision {
  const { state } = payment;
  if (state.intentId !== snapshot.intentId) return ignored('not-ours');
  if (isSettled(state)) return ignored('settled');
  if (snapshot.outcome === 'succeeded') return succeed(payment.purchase, snapshot, now);
  if (state.status === 'canceled') return ignored('settled');
  const { intentId } = snapshot;
  const { failure } = state;
  switch (snapshot.outcome) {
    case 'canceled':
      return changed({ status: 'canceled', intentId, canceledAt: now });
    case 'failed':
      if (snapshot.failure.attemptId !== failure?.attemptId) return fail(payment.purchase, snapshot, now);
      // A late snapshot of an attempt whose failure is published already.
      return state.status === 'processing'
        ? changed({ status: 'open', intentId, failure })
        : ignored('no-news');
    case 'processing':
      return state.status === 'processing'
        ? ignored('no-news')
        : changed({ status: 'processing', intentId, failure });
    case 'waiting':
      return ignored('no-news');
  }
}

function succeed(
  purchase: Purchase,
  snapshot: Extract<IntentSnapshot, { outcome: 'succeeded' }>,
  now: string,
): Decision {
  const { intentId, received, card, paidAt = now, charge } = snapshot;
  if (received.amountMinor !== purchase.amountMinor || received.currency !== purchase.currency) {
    return changed({ status: 'mismatched', intentId, noticedAt: now, received });
  }
  const data = { ...publishedOf(purchase), method: CARD, transactionId: intentId, paidAt, card };
  const event: NewEvent = { type: 'payment.succeeded', data };
  return changed({ status: 'succeeded', intentId, paidAt, card }, [event], charge);
}

function fail(
  { orderId, paymentId }: Purchase,
  { intentId, failure }: Extract<IntentSnapshot, { outcome: 'failed' }>,
  now: string,
): Decision {
  return changed({ status: 'open', intentId, failure }, [
    { type: 'payment.failed', data: { orderId, paymentId, reason: failure.reason, at: now } },
  ]);
}

/** @throws Problem when the object differs from Stripe's documentation */
export const readIntent = (object: unknown): StripeIntent =>
  readStripe(stripeIntent, object, ['data', 'object']);

/**
 * Translates a Stripe intent. The card is known only when the charge is expanded.
 * @throws Problem when the object differs from Stripe's documentation
 */
export function intentSnapshotOf(object: object): IntentSnapshot {
  const intent = readIntent(object);
  const intentId = intent.id;
  switch (intent.status) {
    case 'succeeded': {
      const charge = typeof intent.latest_charge === 'string' ? undefined : intent.latest_charge;
      const currency = intent.currency.toUpperCase();
      return {
        intentId,
        outcome: 'succeeded',
        received: { amountMinor: fromStripeAmount(intent.amount_received!, currency), currency },
        card: charge ? cardOf(charge) : undefined,
        paidAt: charge ? new Date(charge.created * 1000).toISOString() : undefined,
        charge: chargeFacts(charge),
      };
    }
    case 'processing':
      return { intentId, outcome: 'processing' };
    case 'canceled':
      return { intentId, outcome: 'canceled' };
    default:
      return waitingOrFailed(intent);
  }
}

/** After a failed attempt, the intent waits for the next one and still carries the last error. */
function waitingOrFailed({ id, status, last_payment_error: error }: StripeIntent): IntentSnapshot {
  if (status !== 'requires_payment_method' || !error) return { intentId: id, outcome: 'waiting' };
  const reason = error.decline_code ?? error.code ?? error.type ?? 'unknown';
  return {
    intentId: id,
    outcome: 'failed',
    failure: { attemptId: error.charge ?? error.payment_method?.id ?? reason, reason },
  };
}

function cardOf(charge: StripeCharge): Card | undefined {
  const card = charge.payment_method_details?.card;
  return card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : undefined;
}

/** The payment named in the intent's metadata; undefined for intents of other systems on the same account. */
export const paymentIdOf = ({ metadata }: Pick<StripeIntent, 'metadata'>): string | undefined =>
  metadata?.paymentId;

export interface ChargeFacts {
  chargeId: string;
  receiptUrl?: string | undefined;
  fee: {
    /** Stripe's fee and the payout, in the currency of the payout. */
    feeMinor: number;
    netMinor: number;
    currency: string;
    /** Units of the payout currency per unit of the payment's; absent when they are the same. */
    exchangeRate?: number | undefined;
  };
}

/**
 * @returns undefined while Stripe has not settled the charge, or when it is not expanded
 * @throws Problem when the object differs from Stripe's documentation
 */
export function chargeFacts(object: object | string | null | undefined): ChargeFacts | undefined {
  if (!object || typeof object === 'string') return undefined;
  const charge = readStripe(stripeCharge, object);
  const moved = charge.balance_transaction;
  if (!moved || typeof moved === 'string') return undefined;
  const currency = moved.currency.toUpperCase();
  return {
    chargeId: charge.id,
    receiptUrl: charge.receipt_url ?? undefined,
    fee: {
      feeMinor: fromStripeAmount(moved.fee, currency),
      netMinor: fromStripeAmount(moved.net, currency),
      currency,
      exchangeRate: moved.exchange_rate ?? undefined,
    },
  };
}
