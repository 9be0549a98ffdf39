import type { Change } from '@arboleda/chassis/records.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { isHeld, isWithdrawn, type Order, type Progress } from './order.ts';
import type { TimelineEntry } from './timeline.ts';

export interface Move {
  to: Progress;
  by: Actor;
  at: string;
  reason?: string | undefined;
  /** Line of the history; defaults to a change of status. */
  line?: TimelineEntry;
  more?: Partial<Order>;
}

/**
 * The order under its next revision, with the event to publish. A refunded order is withdrawn rather than
 * pending, and one whose donor withdraws or whose money may be gone is held. A pending order has no place or notes of a worker.
 */
export function moved(current: Order, { to, by, at, reason, line, more }: Move): Change<Order> {
  const from = current.progress.status;
  const step = { from, to: to.status, by, at, ...(reason !== undefined && { reason }) };
  const order: Order = {
    ...current,
    ...more,
    ...(to.status === 'pending' && setByAdmin(current)),
    progress: to,
    statusRevision: current.statusRevision + 1,
    timeline: [...current.timeline, line ?? { ...step, type: 'status_changed' }],
  };
  const statusChanged: NewEvent<'order.status_changed'> = {
    type: 'order.status_changed',
    data: {
      orderId: order.id,
      statusRevision: order.statusRevision,
      ...step,
      ...(isWithdrawn(order) && { withdrawn: true }),
      ...(isHeld(order) && { held: true, ...(!order.withdrawal && { heldFor: 'return' }) }),
    },
  };
  return { record: order, events: [statusChanged] };
}

/** Place and notes as an admin last set them. */
function setByAdmin({ timeline }: Order): Pick<Order, 'location' | 'coordinates' | 'notes'> {
  const edits = timeline.flatMap((entry) => (entry.type === 'edited' ? entry.changes : []));
  const last = (field: string): unknown => edits.findLast((change) => change.field === field)?.to;
  return {
    location: last('location') as Order['location'],
    coordinates: last('coordinates') as Order['coordinates'],
    notes: last('notes') as Order['notes'],
  };
}
