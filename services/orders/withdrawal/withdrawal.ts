import type { Change } from '@arboleda/chassis/records.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { isPlanted } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { COLOMBIA, dayIn } from '@arboleda/contracts/time-zone.ts';
import { moved } from '../order/move.ts';
import { isDisputed, isPaid, type Order } from '../order/order.ts';
import { refundBy, type Withdrawal, withdrawableUntil } from './deadline.ts';

/** A transfer is paid for when it is approved. */
const paidAtOf = ({ manualPayment, createdAt }: Order): string => manualPayment?.decidedAt ?? createdAt;

/** Last moment to withdraw, whether it has passed or not; undefined for an order that cannot be withdrawn from, or was. */
export const lastMomentToWithdraw = (order: Order): string | undefined =>
  order.withdrawal || refusal(order) ? undefined : withdrawableUntil(paidAtOf(order));

/** Why an order cannot be withdrawn from, whatever the day. */
function refusal(order: Order) {
  if (!isPaid(order)) return 'order-unpaid';
  if (order.isGivenBack) return 'order-refunded';
  if (isPlanted(order.progress.status)) return 'withdrawal-planted';
  return isDisputed(order) ? 'order-disputed' : undefined;
}

/**
 * Withdraws from a purchase and holds its work. A second request changes nothing.
 * @throws Problem `order-unpaid`, `order-refunded`, `withdrawal-planted`, `order-disputed` or `withdrawal-too-late`
 */
export function decideWithdrawal(
  order: Order,
  { reason, at }: { reason?: string | undefined; at: string },
): Change<Order> | undefined {
  if (order.withdrawal && !order.withdrawal.answeredAt) return undefined;
  const refused = refusal(order);
  if (refused) throw new Problem(refused);
  const until = withdrawableUntil(paidAtOf(order));
  if (at > until) throw new Problem('withdrawal-too-late', { lastDay: dayIn(new Date(until), COLOMBIA) });
  const withdrawal: Withdrawal = { requestedAt: at, refundBy: refundBy(at), ...(reason && { reason }) };
  const by: Actor = { role: 'customer', name: order.customer.name };
  const from = order.progress.status;
  const held = moved(order, {
    to: { status: 'pending' },
    by,
    at,
    line: { at, type: 'withdrawal_requested', by, from, to: 'pending' },
    more: { withdrawal },
  });
  const { id: orderId, method, amountMinor, currency } = order;
  const data = { orderId, method, requestedAt: at, refundBy: withdrawal.refundBy, amountMinor, currency };
  return { ...held, events: [...held.events!, { type: 'order.withdrawal_requested', data }] };
}

/** Whether money goes back, or went back since the donor withdrew: then the order can no longer be kept. */
export function isRefundBegun(order: Order): boolean {
  const { withdrawal, refundStates = {}, timeline } = order;
  const made = [order, ...order.growth].flatMap(({ refunds }) => refunds);
  const isOver = (id: string) =>
    made.some(({ refundId }) => refundId === id) ||
    timeline.some((entry) => entry.type === 'refund_failed' && entry.refundId === id);
  const isPending = Object.entries(refundStates).some(([id, state]) => state === 'pending' && !isOver(id));
  return isPending || made.some(({ at }) => withdrawal !== undefined && at >= withdrawal.requestedAt);
}

/**
 * Keeps the order after all, so that it waits for a worker again. Without a withdrawal it changes nothing.
 * @throws Problem `refund-begun`, or `order-refunded` once the money is back
 */
export function decideRetraction(
  order: Order,
  { by, at, reason }: { by?: Actor; at: string; reason?: string },
): Change<Order> | undefined {
  if (!order.withdrawal) return undefined;
  if (order.isGivenBack) throw new Problem('order-refunded');
  if (isRefundBegun(order)) throw new Problem('refund-begun');
  const who: Actor = by ?? { role: 'customer', name: order.customer.name };
  const kept = moved(order, {
    to: order.progress,
    by: who,
    at,
    line: { at, type: 'withdrawal_retracted', by: who, ...(reason && { reason }) },
    more: { withdrawal: undefined },
  });
  return {
    ...kept,
    events: [
      ...kept.events!,
      { type: 'order.withdrawal_retracted', data: { orderId: order.id, by: who, at } },
    ],
  };
}

/** Answers a withdrawal in the write that gives back the last of the money, packages included; a failed refund reopens it. */
export function withAnswer(
  _before: Order | undefined,
  change: Change<Order>,
  { at }: { at: string },
): Change<Order> {
  const order = change.record;
  const { withdrawal } = order;
  if (!withdrawal) return change;
  const isAnswered = [order, ...order.growth].every(({ isGivenBack }) => isGivenBack);
  if (isAnswered === (withdrawal.answeredAt !== undefined)) return change;
  const answered = { ...withdrawal, answeredAt: isAnswered ? at : undefined };
  return { ...change, record: { ...order, withdrawal: answered } };
}
