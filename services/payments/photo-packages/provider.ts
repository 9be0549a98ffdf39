import { fromStripeAmount } from '@arboleda/contracts/money.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import type Stripe from 'stripe';
import { idOf, isRefusal, IN_REQUEST, readStripe, stripeSession } from '../stripe.ts';
import type { PackagePurchase, SessionSnapshot } from './purchase.ts';

export interface Price {
  amountMinor: number;
  currency: string;
}

/** The part of Stripe's Checkout API that photo packages need. All methods throw Stripe's errors. */
export interface SessionProvider {
  price(priceId: string): Promise<Price>;
  /** Creates the session of a purchase, or returns the existing one. */
  create(purchase: PackagePurchase): Promise<SessionSnapshot>;
  lookUp(sessionId: string): Promise<SessionSnapshot>;
  ofIntent(intentId: string): Promise<SessionSnapshot | undefined>;
  /** Ends an open session. @returns the session as it is now, if it was not open any more */
  expire(sessionId: string): Promise<SessionSnapshot>;
}

export function sessionProvider(stripe: Stripe, siteUrl: string): SessionProvider {
  const provider: SessionProvider = {
    async price(priceId) {
      const price = await stripe.prices.retrieve(priceId, undefined, IN_REQUEST);
      if (price.unit_amount === null) throw new Error(`the price ${priceId} has no amount`);
      return amountOf(price.unit_amount, price.currency);
    },
    async create(purchase) {
      const parameters = sessionParameters(purchase, siteUrl);
      const idempotencyKey = `package-${purchase.purchaseId}`;
      return sessionSnapshotOf(
        await stripe.checkout.sessions.create(parameters, { idempotencyKey, ...IN_REQUEST }),
      );
    },
    lookUp: async (sessionId) =>
      sessionSnapshotOf(await stripe.checkout.sessions.retrieve(sessionId, undefined, IN_REQUEST)),
    async ofIntent(intentId) {
      const { data } = await stripe.checkout.sessions.list(
        { payment_intent: intentId, limit: 1 },
        IN_REQUEST,
      );
      return data[0] && sessionSnapshotOf(data[0]);
    },
    expire: async (sessionId) =>
      stripe.checkout.sessions.expire(sessionId, undefined, IN_REQUEST).then(
        (session) => sessionSnapshotOf(session),
        (error: unknown) => {
          if (!isRefusal(error)) throw error;
          return provider.lookUp(sessionId);
        },
      ),
  };
  return provider;
}

/** Deterministic: Stripe rejects a repeated idempotency key with other parameters. */
function sessionParameters(purchase: PackagePurchase, siteUrl: string): Stripe.Checkout.SessionCreateParams {
  const { purchaseId, orderId, priceId, customer, language } = purchase;
  const back = (outcome: 'success' | 'cancelled') =>
    new URL(`/customer-portal?package=${outcome}&order=${orderId}`, siteUrl).href;
  const metadata = { purchaseId, orderId };
  return {
    mode: 'payment',
    line_items: [{ price: priceId, quantity: 1 }],
    customer_email: customer.email,
    locale: language,
    metadata,
    payment_intent_data: { metadata, description: `Arboleda ${shortId(orderId)}: growth updates` },
    success_url: back('success'),
    cancel_url: back('cancelled'),
  };
}

function amountOf(units: number, stripeCurrency: string): Price {
  const currency = stripeCurrency.toUpperCase();
  return { amountMinor: fromStripeAmount(units, currency), currency };
}

/**
 * @param event type of the webhook: only the event says that an asynchronous payment failed
 * @throws Problem when the object differs from Stripe's documentation
 */
export function sessionSnapshotOf(object: object, event?: string): SessionSnapshot {
  const session = readStripe(stripeSession, object, ['data', 'object']);
  return {
    sessionId: session.id,
    purchaseId: session.metadata?.purchaseId,
    outcome: outcomeOf(session, event),
    checkoutUrl: session.url ?? undefined,
    intentId: idOf(session.payment_intent),
    ...amountOf(session.amount_total ?? 0, session.currency ?? ''),
  };
}

function outcomeOf(
  session: { status?: string | null | undefined; payment_status: string },
  event: string | undefined,
): SessionSnapshot['outcome'] {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return 'open';
  if (session.payment_status !== 'unpaid') return 'paid';
  return event === 'checkout.session.async_payment_failed' ? 'failed' : 'processing';
}
