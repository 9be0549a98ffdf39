import type { Actor } from '@arboleda/contracts/fields.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { type Dispute, lostMinorOf } from './dispute.ts';
import type { Subject } from './subject.ts';

export type RefundStatus =
  /** Stored; Stripe has not answered yet. */
  'creating' | 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

export interface Refund {
  refundId: string;
  subject: Subject['kind'];
  subjectId: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  reason: string;
  /** How the money is returned. `hand`: an admin makes a bank transfer; pending until it is noted as sent. */
  method: 'card' | 'hand';
  /** Absent when it was made in Stripe's dashboard or automatically. */
  by?: Actor | undefined;
  status: RefundStatus;
  stripeId?: string | undefined;
  failureReason?: string | undefined;
  /** Set when an admin keeps the money of a failed refund. */
  dismissed?: { by: Actor; reason: string; at: string } | undefined;
  createdAt: Date;
  settledAt?: Date | undefined;
  /** The debit on the bank's statement that proves it, by hand. */
  debit?: { debitId: string; day: string; number?: string | undefined } | undefined;
}

export interface RefundSnapshot {
  stripeId: string;
  /** From the refund's metadata; absent when it was made in the dashboard. */
  refundId: string | undefined;
  intentId: string | undefined;
  amountMinor: number;
  currency: string;
  reason: string;
  status: Exclude<RefundStatus, 'creating'>;
  failureReason: string | undefined;
  createdAt: Date;
}

/** A new refund of a payment or a photo package: through Stripe, unless it is said otherwise. */
export const refundOf = (
  subject: Subject,
  made: Pick<Refund, 'refundId' | 'amountMinor' | 'reason' | 'createdAt'> & Partial<Refund>,
): Refund => ({
  subject: subject.kind,
  subjectId: subject.id,
  orderId: subject.orderId,
  currency: subject.currency,
  method: 'card',
  status: 'creating',
  ...made,
});

const isVoid = ({ status }: Pick<Refund, 'status'>): boolean => status === 'failed' || status === 'canceled';
const isInHand = ({ status }: Pick<Refund, 'status'>): boolean =>
  status === 'creating' || status === 'pending' || status === 'requires_action';

/** An admin is sending it by hand. Nothing tells what they have done at the bank, so nobody else refunds meanwhile. */
export const isClaimed = (refund: Pick<Refund, 'status' | 'method'>): boolean =>
  refund.method === 'hand' && isInHand(refund);

const sum = (refunds: readonly Refund[]): number =>
  refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** Sum of refunds that succeeded or are under way. */
export const committedMinor = (refunds: readonly Refund[]): number =>
  sum(refunds.filter((refund) => !isVoid(refund)));
export const refundedMinor = (refunds: readonly Refund[]): number =>
  sum(refunds.filter(({ status }) => status === 'succeeded'));

/** The amount paid, with its refunds and disputes. */
export interface Account {
  subject: Pick<Subject, 'amountMinor' | 'currency'>;
  refunds: readonly Refund[];
  disputes: readonly Pick<Dispute, 'amountMinor' | 'currency' | 'status'>[];
}

const lostMinor = ({ subject, disputes }: Account): number =>
  disputes.reduce((total, dispute) => total + lostMinorOf(dispute, subject), 0);

/** The amount that is neither refunded, about to be, nor lost in a dispute. */
export const leftMinor = (account: Account): number =>
  Math.max(0, account.subject.amountMinor - committedMinor(account.refunds) - lostMinor(account));

/** Whether succeeded refunds and lost disputes add up to the amount paid. */
export const isGivenBack = (account: Account): boolean =>
  refundedMinor(account.refunds) + lostMinor(account) >= account.subject.amountMinor;

/** Like isGivenBack, including refunds under way. */
export const isGoingBack = (account: Account): boolean =>
  account.subject.amountMinor > 0 && leftMinor(account) === 0;

/** The sum of failed refunds that no later refund covers. At most what is left of the payment. */
export function owedMinor(account: Account): number {
  const steps = account.refunds
    .filter(({ status, dismissed }) => status !== 'canceled' && !dismissed)
    .flatMap(({ status, amountMinor, createdAt, settledAt = createdAt }) => [
      { at: createdAt, owedMinor: -amountMinor },
      ...(status === 'failed' ? [{ at: settledAt, owedMinor: amountMinor }] : []),
    ])
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  const owed = steps.reduce((total, step) => Math.max(0, total + step.owedMinor), 0);
  return Math.min(owed, leftMinor(account));
}

/**
 * The amount to refund: as requested, or all that is left. Refused while an admin sends another by hand, and without
 * an idempotency key during any other, as it may be a repetition.
 * @throws Problem
 */
export function amountToRefund(
  account: Account & { subject: Pick<Subject, 'isPaid'> },
  asked: { amountMinor: number | undefined; hasKey: boolean },
): number {
  const left = leftMinor(account);
  const blocks = asked.hasKey ? isClaimed : isInHand;
  if (account.refunds.some(blocks)) throw new Problem('refund-in-hand');
  if (!account.subject.isPaid || left === 0) throw new Problem('nothing-to-refund');
  const amountMinor = asked.amountMinor ?? left;
  if (amountMinor > left) throw fieldProblem('amount', 'too-big');
  return amountMinor;
}

const WEIGHT: Record<RefundStatus, number> = {
  creating: 0,
  pending: 1,
  requires_action: 1,
  succeeded: 2,
  failed: 3,
  canceled: 3,
};

export interface RefundNews {
  status: RefundStatus;
  failureReason: string | undefined;
  isNewlySucceeded: boolean;
  /** It had succeeded, and the bank returned it. */
  isReturned: boolean;
}

/**
 * Applies a snapshot to a refund. Snapshots may be repeated, late and out of order: a status never goes back,
 * except that a bank may return a refund that had succeeded.
 * @returns undefined when nothing changes
 */
export function observeRefund(
  { status }: Pick<Refund, 'status'>,
  seen: Pick<RefundSnapshot, 'status' | 'failureReason'>,
): RefundNews | undefined {
  const isLater = WEIGHT[seen.status] > WEIGHT[status] || (WEIGHT[seen.status] === 1 && WEIGHT[status] === 1);
  if (!isLater || seen.status === status) return undefined;
  return {
    status: seen.status,
    failureReason: seen.failureReason,
    isNewlySucceeded: seen.status === 'succeeded',
    isReturned: status === 'succeeded',
  };
}
