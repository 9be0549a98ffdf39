import type { ServiceClient } from '@arboleda/chassis/http/client.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { CardProvider, Intent } from './card-provider.ts';
import { newIds } from './ids.ts';
import { intentCreated } from './payment.ts';
import { checkPackage, purchaseOf, requestHash, type PurchaseRequest } from './purchase.ts';
import { readQuote } from './quote.ts';
import type { PaymentStore, StoredPayment } from './store.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';

export interface CheckoutRequest {
  request: PurchaseRequest;
  idempotencyKey: string | undefined;
  language: Language;
}

export type StartedCheckout = StoredPayment['purchase'] & Pick<Intent, 'clientSecret'>;

/** How long a repeated call lets the first one finish before it asks Stripe itself. */
const PATIENCE_MS = 2_000;
const POLL_MS = 40;

/** Starts a card payment: writes it down, then has Stripe make the intent. The same key gives the same payment. */
export function checkout(parts: {
  store: PaymentStore;
  provider: CardProvider;
  call: ServiceClient;
  quoteSecret: string;
  clock: () => Date;
}): (asked: CheckoutRequest) => Promise<StartedCheckout> {
  const { store, provider, call, quoteSecret, clock } = parts;

  async function price(request: PurchaseRequest) {
    const quote =
      request.quote ?? (await call('POST /internal/quotes', { body: { currency: request.currency } })).quote;
    return readQuote(quote, quoteSecret, clock());
  }

  /** The payment's intent, made now unless it is there. Stripe itself makes but one for a payment. */
  async function intentOf(payment: StoredPayment): Promise<Intent> {
    const { purchase, state } = payment;
    if (state.status !== 'creating') return provider.findIntent(state.intentId);
    const intent = await provider.createIntent(purchase).catch(async (refusal: unknown) => {
      if (isFinal(refusal)) await store.discard(purchase.paymentId);
      throw refusal;
    });
    crashPoint('intent-created');
    await store.change(purchase.paymentId, (current) => intentCreated(current, intent.intentId), {
      known: payment,
    });
    return intent;
  }

  /** Lets the call that came first finish; a crash may have ended it. */
  async function settledDown(payment: StoredPayment): Promise<StoredPayment> {
    let latest = payment;
    while (latest.state.status === 'creating' && ageMs(latest, clock()) < PATIENCE_MS) {
      await pause(POLL_MS);
      latest = (await store.get(payment.purchase.paymentId)) ?? payment;
    }
    return latest;
  }

  async function repeated(payment: StoredPayment, hash: string): Promise<StartedCheckout> {
    if (payment.requestHash !== hash) throw new Problem('idempotency-conflict');
    const intent = await intentOf(await settledDown(payment));
    return { ...payment.purchase, clientSecret: intent.clientSecret };
  }

  return async ({ request, idempotencyKey, language }) => {
    checkPackage(request);
    const hash = requestHash(request);
    let purchase: StoredPayment['purchase'];
    try {
      purchase = purchaseOf(request, await price(request), newIds(), language);
    } catch (refusal) {
      // The same call may have been answered while its quote held.
      const before = idempotencyKey && (await store.withKey(idempotencyKey));
      if (!before) throw refusal;
      return repeated(before, hash);
    }
    const payment = await store.start(purchase, { idempotencyKey, hash });
    if (payment.purchase.paymentId !== purchase.paymentId) return repeated(payment, hash);
    const intent = await intentOf(payment);
    return { ...purchase, clientSecret: intent.clientSecret };
  };
}

const ageMs = ({ createdAt }: StoredPayment, now: Date): number => now.getTime() - createdAt.getTime();

/** Stripe will not take this amount: there is no intent, and there will be none. */
const isFinal = (refusal: unknown): boolean =>
  refusal instanceof Problem && refusal.type === 'validation-failed';
