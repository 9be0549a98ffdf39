import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { ServiceClient } from '@arboleda/chassis/http/client.ts';
import type { OrderTokens } from '@arboleda/chassis/order-token.ts';
import { maxCardAmount } from '@arboleda/contracts/money.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { PurchaseRequest } from '@arboleda/contracts/purchase.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Visitor } from '@arboleda/contracts/visitor.ts';
import { checkGift } from '../purchase/gifts.ts';
import { checkPackage, idsOf, newIds, purchaseOf, readQuote, requestHash } from '../purchase/purchase.ts';
import type { CardProvider, Intent } from './provider.ts';
import type { PaymentStore, StoredPayment } from './store.ts';
import type { Starting, UnpaidBound } from './unpaid.ts';

export interface CheckoutRequest {
  request: PurchaseRequest;
  idempotencyKey: string | undefined;
  language: Language;
  visitor: Visitor;
  /** The caller's IP address; stored as a hash of its network, until the payment is paid or ten minutes old. */
  address: string;
}

export type StartedCheckout = StoredPayment['purchase'] & Pick<Intent, 'clientSecret'>;

/**
 * Starts a card payment: refuses what cannot be bought, creates the intent at Stripe, then stores both. The same idempotency key returns the
 * same payment.
 * The client secret is returned only after the commit, so a crash in between leaves an intent that nobody can
 * pay.
 */
export function checkout(parts: {
  store: PaymentStore;
  unpaid: UnpaidBound;
  provider: CardProvider;
  call: ServiceClient;
  quoteSecret: string;
  orderToken: OrderTokens;
  clock: () => Date;
}): (asked: CheckoutRequest) => Promise<StartedCheckout> {
  const { store, unpaid, provider, call, quoteSecret, orderToken, clock } = parts;

  async function price({ quote: given, currency }: PurchaseRequest, visitor: Visitor) {
    const quote = given ?? (await call('POST /internal/quotes', { body: { currency, visitor } })).quote;
    return readQuote(quote, quoteSecret, clock());
  }

  async function repeated(
    { purchase, state, requestHash }: StoredPayment,
    hash: string,
  ): Promise<StartedCheckout> {
    if (requestHash !== hash) throw new Problem('idempotency-conflict');
    const { clientSecret } = await provider.findIntent(state.intentId);
    return { ...purchase, clientSecret };
  }

  async function start(
    { request, idempotencyKey, language, visitor }: CheckoutRequest,
    network: Starting,
  ): Promise<StartedCheckout> {
    checkPackage(request);
    const hash = requestHash(request);
    const pricing = price(request, visitor);
    // A repeated call succeeds even if its quote has expired meanwhile.
    pricing.catch(() => undefined);
    const before = await store.before(idempotencyKey, network);
    if (before.payment) return repeated(before.payment, hash);
    unpaid.require(network, before.fullSince);
    checkGift(request, clock());
    const quote = await pricing;
    // A repeated or concurrent call must get the intent that Stripe made for the first one.
    const ids =
      idempotencyKey === undefined
        ? newIds(orderToken)
        : idsOf(JSON.stringify([idempotencyKey, hash, quote.rate]), orderToken);
    const purchase = purchaseOf(request, quote, ids, language);
    if (purchase.amountMinor > maxCardAmount(purchase.currency))
      throw fieldProblem('trees', 'above-card-limit');
    await store.reserve(purchase);
    const { intentId, clientSecret } = await provider.createIntent(purchase).catch(async (error: unknown) => {
      await store.release(purchase);
      throw error;
    });
    crashPoint('intent-created');
    const payment = await store.start(purchase, {
      intentId,
      idempotencyKey,
      hash,
      networkHash: network.networkHash,
    });
    if (payment.purchase.paymentId !== purchase.paymentId) return repeated(payment, hash);
    return { ...payment.purchase, clientSecret };
  }

  return (asked) => unpaid.starting(asked.address, (network) => start(asked, network));
}
