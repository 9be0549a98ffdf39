import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { fromStripeAmount, toStripeAmount } from '@arboleda/contracts/money.ts';
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { followMoney } from '../photo-packages/settle.ts';
import { lock, recordReceipt, type Seen, type WebhookReceipt } from '../settling.ts';
import { idOf, IN_REQUEST, readStripe, stripeRefund } from '../stripe.ts';
import { type Subject, subjectOfIntent } from '../money/subject.ts';
import { decideSnapshot, refundSeen } from '../money/refund-decisions.ts';
import type { Refund, RefundSnapshot, RefundStatus } from '../money/refund.ts';
import { accountOf, refundOfStripe, refunds } from '../money/store.ts';

export interface RefundProvider {
  /**
   * Creates the refund at Stripe, or returns the existing one.
   * @throws Stripe's errors
   */
  refund(refund: Refund, intentId: string, now: Date): Promise<RefundSnapshot>;
}

/** Stripe keeps idempotency keys for at least a day: https://docs.stripe.com/api/idempotent_requests */
const KEY_KNOWN_MS = 12 * 60 * 60_000;

export function refundProvider(stripe: Stripe): RefundProvider {
  /** Finds a refund on Stripe's list after its idempotency key has expired. */
  async function madeBefore({ refundId }: Refund, intentId: string): Promise<Stripe.Refund | undefined> {
    for await (const one of stripe.refunds.list({ payment_intent: intentId, limit: 100 }, IN_REQUEST)) {
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
          { idempotencyKey: `refund-${refund.refundId}`, ...IN_REQUEST },
        ));
      return refundSnapshotOf(made);
    },
  };
}

const STATUSES: Partial<Record<string, Exclude<RefundStatus, 'creating'>>> = {
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

/** Translates a Stripe refund. @throws Problem when the object differs from Stripe's documentation */
export function refundSnapshotOf(object: object): RefundSnapshot {
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

/** Applies a Stripe refund to ours. All refunds through Stripe settle here. */
export type SettleRefund = (seen: RefundSnapshot, receipt?: WebhookReceipt) => Promise<Seen>;

export function refundSettler(parts: {
  sql: Sql;
  clock: () => Date;
  logger: Logger;
  counted: (status: Refund['status']) => void;
  /** Settles the payment first: the refund's webhook may arrive before the payment's. */
  settleIntent: (intentId: string) => Promise<void>;
}): SettleRefund {
  const { sql, clock, logger, counted, settleIntent } = parts;

  async function settle(
    tx: Transaction,
    seen: RefundSnapshot,
    subject: Subject,
  ): Promise<Refund['status'] | undefined> {
    const ofStripe = await refundOfStripe(tx, seen.stripeId);
    const named = seen.refundId === undefined ? undefined : await refunds.get(tx, seen.refundId);
    const { refund: known, isNew } = refundSeen(seen, subject, { ofStripe, named }, randomUUID());
    if (isNew) await refunds.add(tx, known);
    const decision = decideSnapshot(await accountOf(tx, subject), known, seen, clock());
    if (!decision) return undefined;
    await refunds.put(tx, decision.refund);
    await tx.publish(decision.events);
    await followMoney(tx, subject, decision.account, clock());
    return decision.refund.status;
  }

  return async (seen, receipt) => {
    const before = await subjectOf(sql, seen);
    if (seen.intentId !== undefined && !before?.isPaid) await settleIntent(seen.intentId);
    const found = before ?? (await subjectOf(sql, seen));
    const result = await sql.transaction(async (tx) => {
      if (found) await lock(tx, 'money', found.id);
      const paymentId = found?.kind === 'payment' && found.paidBy === 'card' ? found.id : undefined;
      if (receipt && !(await recordReceipt(tx, receipt, clock(), paymentId))) return 'duplicate' as const;
      const subject = await subjectOf(tx, seen);
      return subject ? { status: await settle(tx, seen, subject) } : ('not-ours' as const);
    });
    if (result === 'duplicate' || result === 'not-ours') return result;
    if (!result.status) return 'known';
    counted(result.status);
    const facts = { refundId: seen.refundId, stripeId: seen.stripeId, status: result.status };
    if (result.status === 'failed') logger.error(facts, 'a refund failed: the money is still here');
    else logger.info(facts, 'refund');
    return 'changed';
  };
}

const subjectOf = async (
  sql: Pick<Sql, 'query'>,
  { intentId }: RefundSnapshot,
): Promise<Subject | undefined> => (intentId === undefined ? undefined : subjectOfIntent(sql, intentId));
