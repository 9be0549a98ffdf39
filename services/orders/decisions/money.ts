import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { type Dispute, isPaid, notYet, type Order } from '../order.ts';
import { SYSTEM, type TimelineEntry } from '../timeline.ts';
import { moved } from './move.ts';

/**
 * Notes money that was given back. When it was all of it and nothing is in the ground yet, the order is withdrawn.
 * @throws Error when the order, or the approval of its transfer, has not arrived yet: to be tried again.
 */
export function decideRefund(
  current: Order | undefined,
  refund: EventData<'payment.refunded'>,
): Change<Order> | undefined {
  if (!current || !isPaid(current)) throw notYet(refund.orderId);
  const { refundId, amountMinor, currency, isFull, reason, by = SYSTEM, at } = refund;
  if (current.refunds.some((one) => one.refundId === refundId)) return undefined;
  const line: TimelineEntry = { at, type: 'refunded', by, amountMinor, currency, reason, isFull };
  const refunds = byTime([...current.refunds, { refundId, amountMinor, currency, reason, by, at }]);
  const noted: Order = {
    ...current,
    refunds,
    // The event's own sum may count a refund that a bank has returned since.
    refundedMinor: totalOf(refunds),
    isFullyRefunded: current.isFullyRefunded || isFull,
    timeline: [...current.timeline, line],
  };
  const { status: from } = current.progress;
  const isWithdrawal = isFull && !current.isFullyRefunded && (from === 'pending' || from === 'assigned');
  if (!isWithdrawal) return { document: noted };
  return moved(noted, {
    ...{ to: { status: 'pending' }, by, at, reason },
    line: { at, type: 'withdrawn', by, from, to: 'pending', reason },
  });
}

/**
 * Money that was said to have gone back is still here. A withdrawal stands: what is to become of the order, and of the
 * money, an admin decides.
 * @throws Error when the refund has not arrived yet: to be tried again.
 */
export function decideRefundFailure(
  current: Order | undefined,
  { orderId, refundId, amountMinor, currency, reason, at }: EventData<'payment.refund_failed'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  if (current.timeline.some((one) => one.type === 'refund_failed' && one.refundId === refundId))
    return undefined;
  const refunds = current.refunds.filter((one) => one.refundId !== refundId);
  if (refunds.length === current.refunds.length) throw new Error(`refund ${refundId} has not come yet`);
  return {
    document: {
      ...current,
      refunds,
      refundedMinor: totalOf(refunds),
      timeline: [
        ...current.timeline,
        { at, type: 'refund_failed', by: SYSTEM, refundId, amountMinor, currency, reason },
      ],
    },
  };
}

/**
 * Notes how a dispute of the payment stands, for admins alone; of several news the latest holds.
 * @throws Error when the order has not arrived yet: to be tried again.
 */
export function decideDispute(
  current: Order | undefined,
  { orderId, disputeId, amountMinor, currency, reason, status, at }: EventData<'payment.disputed'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  const isKnown = current.timeline.some(
    (one) =>
      one.type === 'disputed' && one.at === at && one.disputeId === disputeId && one.dispute === status,
  );
  if (isKnown) return undefined;
  const money = { amountMinor, currency, reason };
  const before = current.disputes.find((one) => one.disputeId === disputeId);
  const now: Dispute = !before || before.at <= at ? { disputeId, ...money, status, at } : before;
  return {
    document: {
      ...current,
      disputes: byTime([...current.disputes.filter((one) => one !== before), now]),
      timeline: [
        ...current.timeline,
        { at, type: 'disputed', by: SYSTEM, disputeId, dispute: status, ...money },
      ],
    },
  };
}

const totalOf = (refunds: Order['refunds']): number =>
  refunds.reduce((total, { amountMinor }) => total + amountMinor, 0);

const byTime = <T extends { at: string }>(all: T[]): T[] => all.sort((a, b) => a.at.localeCompare(b.at));
