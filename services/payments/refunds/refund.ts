import type { Actor } from '@arboleda/contracts/fields.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { Subject } from '../subject.ts';

export type RefundStatus =
  /** Written down, before Stripe was asked or has answered. */
  'creating' | 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

export interface Refund {
  refundId: string;
  subject: Subject['kind'];
  subjectId: string;
  orderId: string;
  amountMinor: number;
  currency: string;
  reason: string;
  method: 'stripe' | 'by_hand';
  /** Absent when it was made in Stripe's dashboard, or by the product itself. */
  by?: Actor | undefined;
  status: RefundStatus;
  stripeId?: string | undefined;
  failureReason?: string | undefined;
  createdAt: Date;
  settledAt?: Date | undefined;
}

/** What Stripe's own object says of a refund. */
export interface RefundSighting {
  stripeId: string;
  /** Ours, from its metadata; absent when it was made in the dashboard. */
  refundId: string | undefined;
  intentId: string | undefined;
  amountMinor: number;
  currency: string;
  reason: string;
  status: Exclude<RefundStatus, 'creating'>;
  failureReason: string | undefined;
  createdAt: Date;
}

const isVoid = ({ status }: Pick<Refund, 'status'>): boolean => status === 'failed' || status === 'canceled';
const isInHand = ({ status }: Pick<Refund, 'status'>): boolean =>
  status === 'creating' || status === 'pending' || status === 'requires_action';

const sum = (refunds: readonly Refund[]): number =>
  refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);

/** What has been given back, or is about to be. */
export const committedMinor = (refunds: readonly Refund[]): number =>
  sum(refunds.filter((refund) => !isVoid(refund)));
/** What has been given back. */
export const refundedMinor = (refunds: readonly Refund[]): number =>
  sum(refunds.filter(({ status }) => status === 'succeeded'));

/**
 * How much is to be given back: what was asked for, or all that is left. Without a key a call that comes while another
 * refund is in hand may be the same wish twice.
 * @throws Problem
 */
export function amountToRefund(
  subject: Pick<Subject, 'isPaid' | 'amountMinor'>,
  refunds: readonly Refund[],
  asked: { amountMinor: number | undefined; hasKey: boolean },
): number {
  const leftMinor = subject.amountMinor - committedMinor(refunds);
  if (!asked.hasKey && refunds.some(isInHand)) throw new Problem('refund-in-hand');
  if (!subject.isPaid || leftMinor <= 0) throw new Problem('nothing-to-refund');
  const amountMinor = asked.amountMinor ?? leftMinor;
  if (amountMinor > leftMinor) throw fieldProblem('amount', 'too-big');
  return amountMinor;
}

const WEIGHT: Record<RefundStatus, number> = {
  creating: 0, pending: 1, requires_action: 1, succeeded: 2, failed: 3, canceled: 3,
}; // prettier-ignore

export interface RefundNews {
  status: RefundStatus;
  failureReason: string | undefined;
  isNewlySucceeded: boolean;
  /** It had succeeded, and does not count any more. */
  isReturned: boolean;
}

/**
 * What a sighting means for a refund. Sightings come twice, late and in any order: a refund never goes back, but a bank
 * may return one that had succeeded.
 * @returns undefined when it is no news.
 */
export function observeRefund(
  { status }: Pick<Refund, 'status'>,
  seen: Pick<RefundSighting, 'status' | 'failureReason'>,
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
