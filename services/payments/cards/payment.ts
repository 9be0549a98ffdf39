import type { Currency } from '@arboleda/contracts/countries.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import { fromStripeAmount } from '@arboleda/contracts/money.ts';
import type { PackageType } from '@arboleda/contracts/packages.ts';
import { CARD } from '@arboleda/contracts/payment-method.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { readStripe, type StripeCharge, stripeCharge, type StripeIntent, stripeIntent } from '../stripe.ts';

/** What somebody asked to buy, and what it costs: settled when the payment starts, never changed. */
export interface Purchase {
  paymentId: string;
  orderId: string;
  orderToken: string;
  packageType: PackageType;
  trees: number;
  amountMinor: number;
  currency: Currency;
  /** The quote that made the amount: its id, rate and the rates' day. */
  quote: { id: string; rate: number; ratesAsOf: string };
  customer: Customer;
  language: Language;
  /** The browser's own tag, when it is a well-formed one. */
  locale?: string | undefined;
}

export interface Card {
  brand: string;
  last4: string;
}

/** Why the last attempt to pay did not work; the buyer may try again on the same intent. */
interface Failure {
  /** Tells one attempt from another. */
  attemptId: string;
  reason: string;
}

export type PaymentState =
  | { status: 'open'; intentId: string; failure?: Failure | undefined }
  | { status: 'processing'; intentId: string; failure?: Failure | undefined }
  | { status: 'succeeded'; intentId: string; paidAt: string; card?: Card | undefined }
  | { status: 'canceled'; intentId: string; canceledAt: string }
  /** Something was paid that is not what was asked: for people to look at, never an order. */
  | { status: 'mismatched'; intentId: string; noticedAt: string; received: Amount };

export interface Amount {
  amountMinor: number;
  currency: string;
}

export interface Payment {
  purchase: Purchase;
  state: PaymentState;
  /** Counts the changes of the state. */
  revision: number;
}

/** What Stripe's own object says of an intent, whenever and however we came to see it. */
export type Sighting = { intentId: string } & (
  | { outcome: 'waiting' }
  | { outcome: 'processing' }
  | { outcome: 'canceled' }
  | { outcome: 'failed'; failure: Failure }
  | {
      outcome: 'succeeded';
      received: Amount;
      card?: Card | undefined;
      paidAt?: string | undefined;
      /** Absent while Stripe has not settled the charge: it is looked up later. */
      charge?: ChargeFacts | undefined;
    }
);

export type Decision =
  | { kind: 'changed'; state: PaymentState; events: NewEvent[]; charge?: ChargeFacts | undefined }
  /** `settled`: nothing can change it any more; `stranger`: an intent that is not this payment's. */
  | { kind: 'ignored'; why: 'settled' | 'stranger' | 'no-news' };

const ignored = (why: 'settled' | 'stranger' | 'no-news'): Decision => ({ kind: 'ignored', why });
const changed = (state: PaymentState, events: NewEvent[] = [], charge?: ChargeFacts): Decision => ({
  kind: 'changed',
  state,
  events,
  charge,
});

/** Nothing but a person changes these. A canceled one is not among them: a success Stripe reports always counts. */
const isSettled = (
  state: PaymentState,
): state is Extract<PaymentState, { status: 'succeeded' | 'mismatched' }> =>
  state.status === 'succeeded' || state.status === 'mismatched';

/**
 * What a sighting means for a payment. Sightings come twice, late and in any order: success wins over all, canceled
 * over what is still open, and each failed attempt is told once.
 */
export function observe(payment: Payment, sighting: Sighting, now: string): Decision {
  const { state } = payment;
  if (state.intentId !== sighting.intentId) return ignored('stranger');
  if (isSettled(state)) return ignored('settled');
  if (sighting.outcome === 'succeeded') return succeed(payment.purchase, sighting, now);
  if (state.status === 'canceled') return ignored('settled');
  const { intentId } = sighting;
  const { failure } = state;
  switch (sighting.outcome) {
    case 'canceled':
      return changed({ status: 'canceled', intentId, canceledAt: now });
    case 'failed':
      if (sighting.failure.attemptId !== failure?.attemptId) return fail(payment.purchase, sighting, now);
      // Old news of a slow attempt came after its end was told.
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
  sighting: Extract<Sighting, { outcome: 'succeeded' }>,
  now: string,
): Decision {
  const { intentId, received, card, paidAt = now, charge } = sighting;
  if (received.amountMinor !== purchase.amountMinor || received.currency !== purchase.currency) {
    return changed({ status: 'mismatched', intentId, noticedAt: now, received });
  }
  const { quote: _quote, locale: _locale, orderToken: _orderToken, ...asked } = purchase;
  const data = { ...asked, method: CARD, transactionId: intentId, paidAt, card };
  const event: NewEvent = { type: 'payment.succeeded', data };
  return changed({ status: 'succeeded', intentId, paidAt, card }, [event], charge);
}

function fail(
  { orderId, paymentId }: Purchase,
  { intentId, failure }: Extract<Sighting, { outcome: 'failed' }>,
  now: string,
): Decision {
  return changed({ status: 'open', intentId, failure }, [
    { type: 'payment.failed', data: { orderId, paymentId, reason: failure.reason, at: now } },
  ]);
}

/** @throws Problem when it is not as Stripe documents it */
export const readIntent = (object: unknown): StripeIntent =>
  readStripe(stripeIntent, object, ['data', 'object']);

/**
 * What an intent of Stripe says, in our words. A charge that is only named (not expanded) tells nothing of the card.
 * @throws Problem when it is not as Stripe documents it
 */
export function sightingOf(object: object): Sighting {
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

/** After a failed attempt an intent waits for the next one, with the error of the last on it. */
function waitingOrFailed({ id, status, last_payment_error: error }: StripeIntent): Sighting {
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

/** The payment that an intent says it belongs to; undefined for intents that others made on the same account. */
export const paymentIdOf = ({ metadata }: Pick<StripeIntent, 'metadata'>): string | undefined =>
  metadata?.paymentId;

/** What Stripe's charge says besides the payment itself. */
export interface ChargeFacts {
  chargeId: string;
  /** Stripe's own receipt. */
  receiptUrl?: string | undefined;
  fee: {
    /** What Stripe keeps and what it pays out, in the currency of its payouts. */
    feeMinor: number;
    netMinor: number;
    currency: string;
    /** Units of that currency for one of the payment's; absent when they are the same. */
    exchangeRate?: number | undefined;
  };
}

/**
 * @returns undefined while Stripe has not settled the charge, or it is only named.
 * @throws Problem when it is not as Stripe documents it
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
