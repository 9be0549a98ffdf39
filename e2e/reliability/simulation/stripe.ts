import type { Dispute } from '@arboleda/payments/money/dispute.ts';
import type { PackagePurchase, SessionSnapshot } from '@arboleda/payments/photo-packages/purchase.ts';
import type { IntentSnapshot } from '@arboleda/payments/cards/payment.ts';
import type { Purchase } from '@arboleda/contracts/purchase.ts';
import type { Refund, RefundSnapshot } from '@arboleda/payments/money/refund.ts';

export type SeenDispute = Omit<Dispute, 'intentId'> & { intentId: string };

/** Called for each change, with the object at that moment. */
export interface Webhooks {
  payment(orderId: string, paymentId: string, seen: IntentSnapshot): void;
  refund(orderId: string, seen: RefundSnapshot): void;
  dispute(orderId: string, seen: SeenDispute): void;
  package(orderId: string, seen: SessionSnapshot): void;
}

interface Intent {
  orderId: string;
  paymentId: string | undefined;
  amountMinor: number;
  snapshot: IntentSnapshot;
}

/** Statuses of a dispute in order; the last one is final. */
const DISPUTE_STATUSES = {
  won: ['needs_response', 'under_review', 'won'],
  lost: ['needs_response', 'lost', 'appeal_under_review'],
  wonOnAppeal: ['lost', 'appeal_under_review', 'won'],
} as const;
type DisputeCourse = keyof typeof DISPUTE_STATUSES;

/** A model of Stripe: it keeps its own objects and sends a webhook for each change. */
export function openStripe(webhooks: Webhooks, clock: () => Date) {
  const intents = new Map<string, Intent>();
  const refunds = new Map<string, RefundSnapshot>();
  const disputes = new Map<string, SeenDispute & { course: DisputeCourse }>();
  const sessions = new Map<string, SessionSnapshot & { orderId: string }>();
  let counted = 0;

  function become(intentId: string, snapshot: IntentSnapshot) {
    const intent = intents.get(intentId)!;
    const { outcome } = intent.snapshot;
    if (outcome === 'succeeded' || outcome === 'canceled') return;
    intents.set(intentId, { ...intent, snapshot });
    if (intent.paymentId !== undefined) webhooks.payment(intent.orderId, intent.paymentId, snapshot);
  }
  function keepRefund(seen: RefundSnapshot): RefundSnapshot {
    refunds.set(seen.stripeId, seen);
    webhooks.refund(intents.get(seen.intentId!)!.orderId, seen);
    return seen;
  }
  const leftOf = (intentId: string): number => {
    // Stripe refunds nothing of a disputed payment.
    const dispute = disputes.get(`dispute-${intentId}`);
    if (dispute && dispute.status !== 'won') return 0;
    const back = [...refunds.values()].filter(
      (one) => one.intentId === intentId && one.status === 'succeeded',
    );
    return intents.get(intentId)!.amountMinor - back.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  };
  const isPaid = (intentId: string) => intents.get(intentId)?.snapshot.outcome === 'succeeded';
  const newRefund = (intentId: string, amountMinor: number) => ({
    stripeId: `re-${counted++}`,
    intentId,
    amountMinor,
    currency: 'USD',
    status: 'succeeded' as const,
    failureReason: undefined,
    createdAt: clock(),
  });

  return {
    createIntent({ orderId, paymentId, amountMinor }: Purchase): string {
      const intentId = `pi-${paymentId}`;
      intents.set(intentId, { orderId, paymentId, amountMinor, snapshot: { intentId, outcome: 'waiting' } });
      return intentId;
    },
    intent: (intentId: string) => intents.get(intentId)!,
    /** Acts of the buyer; without effect once it was paid or canceled. */
    pay(intentId: string, receivedMinor?: number) {
      const amountMinor = receivedMinor ?? intents.get(intentId)!.amountMinor;
      const card = { brand: 'visa', last4: '4242' };
      const received = { amountMinor, currency: 'USD' };
      intents.set(intentId, { ...intents.get(intentId)!, amountMinor });
      become(intentId, { intentId, outcome: 'succeeded', received, card, paidAt: clock().toISOString() });
    },
    decline(intentId: string) {
      const failure = { attemptId: `attempt-${counted++}`, reason: 'card_declined' };
      become(intentId, { intentId, outcome: 'failed', failure });
    },
    process: (intentId: string) => become(intentId, { intentId, outcome: 'processing' }),
    cancel: (intentId: string) => become(intentId, { intentId, outcome: 'canceled' }),

    /** Idempotent by id. @returns undefined when less is left */
    refund({ refundId, amountMinor, reason }: Refund, intentId: string): RefundSnapshot | undefined {
      const before = [...refunds.values()].find((one) => one.refundId === refundId);
      if (before) return before;
      if (amountMinor > leftOf(intentId)) return undefined;
      return keepRefund({ ...newRefund(intentId, amountMinor), refundId, reason });
    },
    /** In Stripe's dashboard. */
    refundByHand(intentId: string, amountMinor: number) {
      const amount = Math.min(amountMinor, leftOf(intentId));
      if (!isPaid(intentId) || amount <= 0) return;
      keepRefund({ ...newRefund(intentId, amount), refundId: undefined, reason: 'made in Stripe' });
    },
    /** The bank returns a refund that had succeeded. */
    returnRefund(intentId: string, which: number) {
      const made = [...refunds.values()].filter(
        (one) => one.intentId === intentId && one.status === 'succeeded',
      );
      const returned = made[which % made.length];
      if (returned) keepRefund({ ...returned, status: 'failed', failureReason: 'lost_or_stolen_card' });
    },
    /** Its next step. */
    dispute(intentId: string, course: DisputeCourse) {
      if (!isPaid(intentId)) return;
      const disputeId = `dispute-${intentId}`;
      const before = disputes.get(disputeId);
      const steps: readonly string[] = DISPUTE_STATUSES[before?.course ?? course];
      const status = steps[before ? steps.indexOf(before.status) + 1 : 0];
      if (status === undefined) return;
      const { orderId, amountMinor } = intents.get(intentId)!;
      const dispute = {
        disputeId,
        intentId,
        amountMinor,
        currency: 'USD',
        reason: 'fraudulent',
        status,
        createdAt: clock(),
        course: before?.course ?? course,
      };
      disputes.set(disputeId, dispute);
      webhooks.dispute(orderId, dispute);
    },

    beginSession({ purchaseId, orderId, amountMinor, currency }: PackagePurchase): SessionSnapshot {
      const open = {
        sessionId: `session-${purchaseId}`,
        purchaseId,
        orderId,
        amountMinor,
        currency,
      } as const;
      const session = { ...open, outcome: 'open', checkoutUrl: undefined, intentId: undefined } as const;
      if (!sessions.has(purchaseId)) sessions.set(purchaseId, session);
      return sessions.get(purchaseId)!;
    },
    paySession(purchaseId: string) {
      const session = sessions.get(purchaseId);
      if (session?.outcome !== 'open') return;
      const { orderId, amountMinor, currency } = session;
      const intentId = `pi-${purchaseId}`;
      const received = { amountMinor, currency };
      const snapshot = { intentId, outcome: 'succeeded', received, paidAt: clock().toISOString() } as const;
      intents.set(intentId, { orderId, paymentId: undefined, amountMinor, snapshot });
      const paid = { ...session, outcome: 'paid', intentId } as const;
      sessions.set(purchaseId, paid);
      webhooks.package(orderId, paid);
    },
    sessionOfIntent: (intentId: string): SessionSnapshot | undefined =>
      [...sessions.values()].find((one) => one.intentId === intentId),
    sessions: (): readonly SessionSnapshot[] => [...sessions.values()],
    refunds: (): readonly RefundSnapshot[] => [...refunds.values()],
    disputes: (): readonly SeenDispute[] => [...disputes.values()],
  };
}
export type Stripe = ReturnType<typeof openStripe>;
