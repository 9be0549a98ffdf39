import type { PublicOrder } from '../../api/order.ts';

/**
 * State of an order's money. to-verify: a transfer not verified yet. rejected: a transfer not found. withdrawing: its
 * donor withdraws from the purchase. withdrawn: fully
 * refunded before planting. taken-back: the same after a lost dispute.
 */
export type MoneyState = 'to-verify' | 'rejected' | 'withdrawing' | 'withdrawn' | 'taken-back' | 'paid';

interface Facts extends Pick<PublicOrder, 'withdrawn' | 'lostAmount'> {
  withdrawal?: PublicOrder['withdrawal'];
  manualPayment?: Pick<NonNullable<PublicOrder['manualPayment']>, 'verificationStatus'> | undefined;
}

export function moneyStateOf({ withdrawn, withdrawal, lostAmount, manualPayment }: Facts): MoneyState {
  if (withdrawn) return lostAmount ? 'taken-back' : 'withdrawn';
  if (withdrawal && !withdrawal.answeredAt) return 'withdrawing';
  if (manualPayment?.verificationStatus === 'pending') return 'to-verify';
  return manualPayment?.verificationStatus === 'rejected' ? 'rejected' : 'paid';
}

/** Whether the order is or may still be fulfilled, so that it has a timeline. */
export const isUnderWay = (order: Facts): boolean => ['paid', 'to-verify'].includes(moneyStateOf(order));

/** Whether the payment was received, so that a receipt exists. */
export const hasReceipt = (order: Facts): boolean =>
  ['paid', 'withdrawing', 'withdrawn', 'taken-back'].includes(moneyStateOf(order));
