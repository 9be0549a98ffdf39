import { fromStripeAmount, toStripeAmount } from '@arboleda/contracts/money.ts';
import type Stripe from 'stripe';
import { idOf, PROMPT } from '../stripe/client.ts';
import { readStripe, stripeRefund } from '../stripe/objects.ts';
import type { Refund, RefundSighting, RefundStatus } from './refund.ts';

export interface RefundProvider {
  /**
   * Gives the money back, or answers what became of it when that was done before.
   * @throws Stripe's errors
   */
  refund(refund: Refund, intentId: string, now: Date): Promise<RefundSighting>;
}

/** Stripe knows an idempotency key for a day at least: https://docs.stripe.com/api/idempotent_requests */
const KEY_KNOWN_MS = 12 * 60 * 60_000;

export function refundProvider(stripe: Stripe): RefundProvider {
  /** What Stripe made stays on its list when the key is forgotten. */
  async function madeBefore({ refundId }: Refund, intentId: string): Promise<Stripe.Refund | undefined> {
    for await (const one of stripe.refunds.list({ payment_intent: intentId, limit: 100 }, PROMPT)) {
      if (one.metadata?.refundId === refundId) return one;
    }
    return undefined;
  }

  return {
    async refund(refund, intentId, now) {
      const isOld = now.getTime() - refund.createdAt.getTime() > KEY_KNOWN_MS;
      const made =
        (isOld ? await madeBefore(refund, intentId) : undefined) ??
        (await stripe.refunds.create(
          {
            payment_intent: intentId,
            amount: toStripeAmount(refund.amountMinor, refund.currency),
            reason: 'requested_by_customer',
            metadata: { refundId: refund.refundId, orderId: refund.orderId },
          },
          { idempotencyKey: `refund-${refund.refundId}`, ...PROMPT },
        ));
      return refundSightingOf(made);
    },
  };
}

const STATUSES: Partial<Record<string, Exclude<RefundStatus, 'creating'>>> = {
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

/** What a refund of Stripe says, in our words. @throws Problem when it is not as Stripe documents it */
export function refundSightingOf(object: object): RefundSighting {
  const refund = readStripe(stripeRefund, object, ['data', 'object']);
  const currency = refund.currency.toUpperCase();
  return {
    stripeId: refund.id,
    refundId: refund.metadata?.refundId,
    intentId: idOf(refund.payment_intent),
    amountMinor: fromStripeAmount(refund.amount, currency),
    currency,
    reason: refund.reason ?? 'made in Stripe',
    status: STATUSES[refund.status ?? ''] ?? 'pending',
    failureReason: refund.failure_reason ?? undefined,
    createdAt: new Date(refund.created * 1000),
  };
}
