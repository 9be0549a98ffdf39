import type { PublicOrder } from '../../api/order.ts';

/**
 * Whether the money of an order is there. to-verify: a transfer that nobody found yet. rejected: one that was not
 * found. withdrawn: all was given back before anything was planted.
 */
export type Standing = 'to-verify' | 'rejected' | 'withdrawn' | 'paid';

type Facts = Pick<PublicOrder, 'withdrawn' | 'manualPayment'>;

export function standingOf({ withdrawn, manualPayment }: Facts): Standing {
  if (withdrawn) return 'withdrawn';
  if (manualPayment?.verificationStatus === 'pending') return 'to-verify';
  return manualPayment?.verificationStatus === 'rejected' ? 'rejected' : 'paid';
}

/** Whether somebody plants it, or may: then there is a way to follow. */
export const isUnderWay = (order: Facts): boolean => ['paid', 'to-verify'].includes(standingOf(order));

/** Whether there is a receipt: the money came. */
export const hasReceipt = (order: Facts): boolean => ['paid', 'withdrawn'].includes(standingOf(order));
