import type { Change } from '@arboleda/chassis/records.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { isHeld, isPaid, type Order, type Progress } from './order.ts';
import { moved } from './move.ts';

/**
 * Sets the status an admin chose, from any status. The same status changes nothing.
 * @throws Problem `order-unpaid` for an unpaid order, `withdrawal-open` while its donor withdraws,
 * `return-open` while the bank may have taken its money back
 */
export function decideStatus(
  current: Order,
  wanted: { status: OrderStatus; reason?: string | undefined },
  by: Actor,
  at: string,
): Change<Order> | undefined {
  if (current.progress.status === wanted.status) return undefined;
  if (!isPaid(current)) throw new Problem('order-unpaid');
  if (isHeld(current)) throw new Problem(current.withdrawal ? 'withdrawal-open' : 'return-open');
  return moved(current, {
    to: progressTo(wanted.status, current.progress, at),
    by,
    at,
    reason: wanted.reason,
  });
}

/**
 * Forward, missing dates become today: a completed order was planted. Only an assigned order has a date of
 * assignment.
 * Back, later dates are cleared; pending has no worker either.
 */
function progressTo(status: OrderStatus, before: Progress, at: string): Progress {
  if (status === 'pending') return { status };
  const known = before.status === 'pending' ? undefined : before;
  const field = { assignmentId: known?.assignmentId, worker: known?.worker };
  if (status === 'assigned') return { ...field, status, assignedAt: known?.assignedAt ?? at };
  const plantedAt = known && 'plantedAt' in known ? known.plantedAt : at;
  const planted = { ...field, assignedAt: known?.assignedAt, plantedAt };
  return status === 'planted' ? { ...planted, status } : { ...planted, status, completedAt: at };
}
