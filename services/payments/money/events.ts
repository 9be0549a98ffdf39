import type { Currency } from '@arboleda/contracts/countries.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import { type Dispute, lostMinorOf } from './dispute.ts';
import { type Account, isGivenBack, type Refund, refundedMinor, type RefundNews } from './refund.ts';
import type { Subject } from './subject.ts';

function moneyOf({ kind, id, orderId, amountMinor, currency, photoPackage }: Subject) {
  return {
    orderId,
    ...(kind === 'payment' && { paymentId: id }),
    ...(photoPackage && {
      photoPackage: {
        purchaseId: id,
        photoPackageType: photoPackage.photoPackageType,
        ...(photoPackage.isSurplus && { isSurplus: true as const }),
      },
    }),
    paidMinor: amountMinor,
    currency: currency as Currency,
  };
}

/** @param account after the refund succeeded */
export const refundedEvent = (
  { refundId, amountMinor, reason, by, method }: Refund,
  subject: Subject,
  account: Account,
  now: Date,
): NewEvent<'payment.refunded'> => ({
  type: 'payment.refunded',
  data: {
    ...moneyOf(subject),
    refundId,
    amountMinor,
    refundedMinor: refundedMinor(account.refunds),
    isFull: isGivenBack(account),
    reason,
    ...(method === 'hand' && subject.paidBy === 'card' && { byHand: true as const }),
    by,
    at: now.toISOString(),
  },
});

/** Says that a refund is under way, or ended without money going back. Nothing for a package that the order never had. */
export function refundStatusEvents(
  { refundId, amountMinor, currency, status }: Refund,
  { orderId, isOrder, photoPackage }: Subject,
  now: Date,
): NewEvent<'payment.refund_status_changed'>[] {
  if (!isOrder || photoPackage?.isSurplus || status === 'succeeded') return [];
  const isEnded = status === 'failed' || status === 'canceled';
  const refund = { orderId, refundId, amountMinor, currency: currency as Currency };
  return [
    {
      type: 'payment.refund_status_changed',
      data: { ...refund, status: isEnded ? status : 'pending', at: now.toISOString() },
    },
  ];
}

const refundFailedEvent = (
  { refundId, amountMinor, failureReason, status }: Refund,
  subject: Subject,
  now: Date,
): NewEvent<'payment.refund_failed'> => ({
  type: 'payment.refund_failed',
  data: {
    ...moneyOf(subject),
    refundId,
    amountMinor,
    reason: failureReason ?? status,
    at: now.toISOString(),
  },
});

/** Says what a snapshot from Stripe changed. @param account after the change */
export function refundNewsEvents(
  { isNewlySucceeded, isReturned }: RefundNews,
  refund: Refund,
  subject: Subject,
  account: Account,
  now: Date,
): NewEvent[] {
  if (!isNewlySucceeded && !isReturned) return refundStatusEvents(refund, subject, now);
  if (!subject.isOrder) return [];
  return isReturned
    ? [refundFailedEvent(refund, subject, now)]
    : [refundedEvent(refund, subject, account, now)];
}

export const disputedEvent = (
  { disputeId, amountMinor, currency, reason, status }: Omit<Dispute, 'intentId' | 'createdAt'>,
  subject: Subject,
  now: Date,
): NewEvent<'payment.disputed'> => ({
  type: 'payment.disputed',
  data: {
    ...moneyOf(subject),
    disputeId,
    amountMinor,
    currency: currency as Currency,
    reason,
    status,
    lostMinor: lostMinorOf({ status, amountMinor, currency }, subject),
    at: now.toISOString(),
  },
});
