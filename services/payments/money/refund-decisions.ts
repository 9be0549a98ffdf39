import type { Actor } from '@arboleda/contracts/fields.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { refundedEvent, refundNewsEvents, refundStatusEvents } from './events.ts';
import type { Subject } from './subject.ts';
import {
  type Account,
  amountToRefund,
  leftMinor,
  observeRefund,
  type Refund,
  refundOf,
  type RefundSnapshot,
} from './refund.ts';

/** A payment or photo package with its refunds and disputes, read under the lock of its money. */
export interface RefundAccount extends Account {
  subject: Subject;
}

/** A refund as it is from now on, what was paid with it, and what others are told. */
export interface RefundDecision {
  refund: Refund;
  account: RefundAccount;
  events: NewEvent[];
}

export interface RefundRequest {
  /** Defaults to all that is left. */
  amountMinor: number | undefined;
  reason: string;
  /** The admin returns the money by other means and notes it here. */
  byHand: boolean;
  /** The admin is about to send it: it is pending until `decideByHand`, and nobody else refunds meanwhile. */
  claim: boolean;
  by: Actor;
  idempotencyKey: string | undefined;
}

/** A refund that an admin asks for. @throws Problem */
export function decideRequest(
  account: RefundAccount,
  request: RefundRequest,
  refundId: string,
  now: Date,
): RefundDecision {
  const { subject } = account;
  const { amountMinor: asked, reason, by, idempotencyKey } = request;
  const amountMinor = amountToRefund(account, { amountMinor: asked, hasKey: Boolean(idempotencyKey) });
  const isThroughStripe = subject.paidBy === 'card' && !request.byHand;
  if (isThroughStripe) requireStripeAmount(amountMinor, subject.currency);
  if (isThroughStripe && request.claim) throw fieldProblem('claim', 'invalid');
  const made = { refundId, amountMinor, reason, by, createdAt: now };
  if (isThroughStripe) return told(account, refundOf(subject, made), now);
  // Transfers are refunded at the bank; here it is only noted.
  const byHand = request.claim
    ? refundOf(subject, { ...made, method: 'hand', status: 'pending' })
    : refundOf(subject, { ...made, method: 'hand', status: 'succeeded', settledAt: now });
  return told(account, byHand, now);
}

/** Money that went back by other means: at most what is left. @returns undefined when nothing is left. @throws Problem */
export function decideSent(
  account: RefundAccount,
  { amountMinor, ...said }: { amountMinor: number; reason: string; by: Actor },
  refundId: string,
  now: Date,
): RefundDecision | undefined {
  const left = leftMinor(account);
  if (left === 0) return undefined;
  const sent = amountToRefund(account, { amountMinor: Math.min(amountMinor, left), hasKey: true });
  const made = { ...said, refundId, amountMinor: sent, createdAt: now, settledAt: now };
  return told(account, refundOf(account.subject, { ...made, method: 'hand', status: 'succeeded' }), now);
}

/**
 * An admin says that a claimed refund was sent, or is not sent after all.
 * @returns undefined when they said so before. @throws Problem `conflict` when it is no claimed one, or the other was said
 */
export function decideByHand(
  account: RefundAccount,
  refund: Refund,
  isSent: boolean,
  now: Date,
): RefundDecision | undefined {
  const status = isSent ? 'succeeded' : 'canceled';
  if (refund.method === 'hand' && refund.status === status) return undefined;
  if (refund.method !== 'hand' || refund.status !== 'pending') throw new Problem('conflict');
  return told(account, { ...refund, status, settledAt: now }, now);
}

/** Stripe refused a refund. @returns undefined when its state is known already */
export function decideRefusal(
  account: RefundAccount,
  refund: Refund,
  failureReason: string,
  now: Date,
): RefundDecision | undefined {
  if (refund.status !== 'creating') return undefined;
  return told(account, { ...refund, status: 'failed', failureReason, settledAt: now }, now);
}

/** The refund in a snapshot of Stripe: ours, or one that was made in Stripe's dashboard. */
export function refundSeen(
  seen: RefundSnapshot,
  subject: Subject,
  known: { ofStripe: Refund | undefined; named: Refund | undefined },
  newId: string,
): { refund: Refund; isNew: boolean } {
  const { ofStripe, named } = known;
  // A second Stripe refund with the same id in its metadata is a separate refund.
  const isNamed = named?.subjectId === subject.id && named.stripeId === undefined;
  const ours = ofStripe ?? (isNamed ? named : undefined);
  if (ours) return { refund: ours, isNew: false };
  const { amountMinor, currency, reason, stripeId, createdAt } = seen;
  const made = { refundId: newId, amountMinor, currency, reason, stripeId, createdAt };
  return { refund: refundOf(subject, made), isNew: true };
}

/** Applies a snapshot of Stripe to a refund. @returns undefined when nothing changes */
export function decideSnapshot(
  account: RefundAccount,
  known: Refund,
  seen: RefundSnapshot,
  now: Date,
): RefundDecision | undefined {
  const news = observeRefund(known, seen);
  if (!news) return undefined;
  const { status, failureReason } = news;
  const settledAt = isSettled(status) ? now : undefined;
  const refund: Refund = { ...known, status, failureReason, stripeId: seen.stripeId, settledAt };
  const after = withRefund(account, refund);
  return { refund, account: after, events: refundNewsEvents(news, refund, account.subject, after, now) };
}

/** A refund of all that is left, by the product itself. @returns undefined when nothing is left */
export function refundOfRest(
  account: RefundAccount,
  refundId: string,
  reason: string,
  now: Date,
): Refund | undefined {
  const amountMinor = leftMinor(account);
  if (amountMinor === 0) return undefined;
  return refundOf(account.subject, {
    refundId,
    amountMinor,
    reason,
    by: { role: 'system' },
    createdAt: now,
  });
}

function told(account: RefundAccount, refund: Refund, now: Date): RefundDecision {
  const { subject } = account;
  const after = withRefund(account, refund);
  const isSent = refund.status === 'succeeded' && subject.isOrder;
  return {
    refund,
    account: after,
    events: isSent ? [refundedEvent(refund, subject, after, now)] : refundStatusEvents(refund, subject, now),
  };
}

const withRefund = (account: RefundAccount, refund: Refund): RefundAccount => ({
  ...account,
  refunds: [...account.refunds.filter(({ refundId }) => refundId !== refund.refundId), refund],
});

const isSettled = (status: Refund['status']): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'canceled';

function requireStripeAmount(amountMinor: number, currency: string): void {
  try {
    toStripeAmount(amountMinor, currency);
  } catch (cause) {
    throw Object.assign(fieldProblem('amount', 'invalid'), { cause });
  }
}
