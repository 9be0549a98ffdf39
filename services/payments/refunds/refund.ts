import type { Actor } from '@arboleda/contracts/fields.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { type Dispute, lostMinorOf } from '../disputes/dispute.ts';
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
  /** How the money goes back. `hand`: by a bank transfer or otherwise, which is noted here. */
  method: 'card' | 'hand';
  /** Absent when it was made in Stripe's dashboard, or by the product itself. */
  by?: Actor | undefined;
  status: RefundStatus;
  stripeId?: string | undefined;
  failureReason?: string | undefined;
  /** A failed one whose money stays here, as an admin said. */
  dismissed?: { by: Actor; reason: string; at: string } | undefined;
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

/** What was paid, and what became of that money. */
export interface Account {
  subject: Pick<Subject, 'amountMinor' | 'currency'>;
  refunds: readonly Refund[];
  disputes: readonly Pick<Dispute, 'amountMinor' | 'currency' | 'status'>[];
}

/** What banks took back in disputes that were lost. */
const lostMinor = ({ subject, disputes }: Account): number =>
  disputes.reduce((total, dispute) => total + lostMinorOf(dispute, subject), 0);

/** What nobody has given back or taken back, and nobody is about to. */
export const leftMinor = (account: Account): number =>
  Math.max(0, account.subject.amountMinor - committedMinor(account.refunds) - lostMinor(account));

/** Refunds and lost disputes together reach what was paid. */
export const isGivenBack = (account: Account): boolean =>
  refundedMinor(account.refunds) + lostMinor(account) >= account.subject.amountMinor;

/** The same, with refunds that are under way. */
export const isGoingBack = (account: Account): boolean =>
  account.subject.amountMinor > 0 && leftMinor(account) === 0;

/**
 * What a failed refund was to give back and no later one has: somebody has to find another way. At most what is left, as
 * all else has gone back already.
 */
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
 * How much is to be given back: what was asked for, or all that is left. Without a key a call that comes while another
 * refund is in hand may be the same wish twice.
 * @throws Problem
 */
export function amountToRefund(
  account: Account & { subject: Pick<Subject, 'isPaid'> },
  asked: { amountMinor: number | undefined; hasKey: boolean },
): number {
  const left = leftMinor(account);
  if (!asked.hasKey && account.refunds.some(isInHand)) throw new Problem('refund-in-hand');
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
