import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { isPlanted } from '@arboleda/contracts/order.ts';
import { isPaid, isStopped, notYet, type Order } from '../order/order.ts';
import { SYSTEM, type TimelineEntry } from '../order/timeline.ts';
import { moved } from '../order/move.ts';

/**
 * Holds an order whose money the bank may have taken back: it loses its worker until an admin decides on the debit. Planted
 * trees stay as they are, and admins see the debit with the order.
 * @throws Error when the approval of its transfer has not arrived yet; the event is retried
 */
export function decideReturnSuspected(
  current: Order | undefined,
  { orderId, debitId, amountMinor, currency, day, at }: EventData<'payment.return_suspected'>,
): Change<Order> | undefined {
  if (!current || !isPaid(current)) throw notYet(orderId);
  const { suspectedReturns: before = [] } = current;
  if (before.some((one) => one.debitId === debitId)) return undefined;
  const suspectedReturns = [...before, { debitId, amountMinor, currency, day, at }];
  const { status: from } = current.progress;
  const isToHold = !isPlanted(from) && !isStopped(current);
  const to = isToHold ? 'pending' : from;
  const line: TimelineEntry = { at, type: 'return_suspected', by: SYSTEM, from, to, amountMinor, currency };
  if (!isToHold) return { record: { ...current, suspectedReturns, timeline: [...current.timeline, line] } };
  return moved(current, { to: { status: 'pending' }, by: SYSTEM, at, line, more: { suspectedReturns } });
}

/**
 * Follows an admin's decision on the debit. Unless the money is given back by now, the order waits for a worker again when
 * nothing else holds it.
 */
export function decideReturnSettled(
  current: Order | undefined,
  { orderId, debitId, wasReturned, by, at }: EventData<'payment.return_settled'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  const { suspectedReturns: before = [] } = current;
  const suspected = before.find((one) => one.debitId === debitId);
  if (!suspected) throw new Error(`the suspicion of debit ${debitId} has not come yet`);
  if (suspected.settledAt !== undefined) return undefined;
  const suspectedReturns = before.map((one) => (one === suspected ? { ...one, settledAt: at } : one));
  const line: TimelineEntry = { at, type: wasReturned ? 'return_confirmed' : 'return_dismissed', by };
  if (!isStopped(current) || current.isGivenBack)
    return { record: { ...current, suspectedReturns, timeline: [...current.timeline, line] } };
  return moved(current, { to: current.progress, by, at, line, more: { suspectedReturns } });
}
