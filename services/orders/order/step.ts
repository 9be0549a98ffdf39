import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { isPaid, isStopped, notYet, type Order, type Progress, workerOf } from './order.ts';
import { SYSTEM, type TimelineEntry } from './timeline.ts';
import { decideLateStep } from './late-step.ts';
import { moved } from './move.ts';

/** A step that assignments reports. */
export type FieldStep = NewEvent<'order.assigned' | 'order.planted' | 'order.completed'>;

/**
 * Applies a step that was decided on the current revision.
 * A step on an older revision is stale and changes nothing; assignments receives the newer revision. Where trees may stand of
 * an order that was stopped meanwhile, it is reported.
 * A step with the right revision but the wrong status was decided after a stale one: the revision increases
 * and the status stays, so that assignments receives it.
 * @throws Error when an earlier event has not arrived yet; the event is retried
 */
export function decideStep(current: Order | undefined, step: FieldStep): Change<Order> | undefined {
  if (!current) throw notYet(step.data.orderId);
  const { statusRevision, at, notes, reason } = step.data;
  if (statusRevision > current.statusRevision) {
    throw new Error(
      `order ${current.id} is at revision ${current.statusRevision}, not yet ${statusRevision}`,
    );
  }
  if (statusRevision < current.statusRevision) return reported(current, step);
  if (!isPaid(current)) throw new Error(`the money of order ${current.id} is not there yet`);
  const to = follow(current, step);
  if (!to) return overtaken(current, step);

  const by = step.data.by ?? whoDoes(step);
  const from = current.progress.status;
  const line: TimelineEntry =
    from === to.status
      ? { at, by, type: 'reassigned', ...takenOver(current, step), ...(reason && { reason }) }
      : {
          at,
          by,
          type: 'status_changed',
          from,
          to: to.status,
          ...(reason && { reason }),
          ...(notes && { note: notes }),
        };
  const more = { ...(step.type === 'order.planted' && placeOf(step.data)), ...(notes && { notes }) };
  return moved(current, { to, by, at, reason, line, more });
}

function overtaken(current: Order, step: FieldStep): Change<Order> {
  const { at } = step.data;
  const line: TimelineEntry = {
    at,
    by: step.data.by ?? whoDoes(step),
    type: 'overtaken',
    to: REACHED[step.type],
  };
  const known = reported(current, step)?.record ?? current;
  return moved(known, { to: current.progress, by: SYSTEM, at, line });
}

/** A worker planted while the money was asked or given back, so an admin has to hear of it. */
function reported(current: Order, step: FieldStep): Change<Order> | undefined {
  if (step.type === 'order.assigned' || !isStopped(current)) return undefined;
  const { orderId, assignmentId, worker, at, notes } = step.data;
  const to = REACHED[step.type];
  const hasCounted = current.timeline.some(
    (entry) => entry.type === 'status_changed' && entry.at === at && entry.to === to,
  );
  if (hasCounted) return undefined;
  const place = step.type === 'order.planted' && step.data;
  return decideLateStep(current, {
    orderId,
    assignmentId,
    worker,
    step: to,
    at,
    ...(notes && { notes }),
    ...(place && { location: place.location, coordinates: place.coordinates }),
  });
}

const REACHED = {
  'order.assigned': 'assigned',
  'order.planted': 'planted',
  'order.completed': 'completed',
} as const;

/** The product assigns; the worker does the rest. */
const whoDoes = ({ type, data: { worker } }: FieldStep): Actor =>
  type === 'order.assigned' ? SYSTEM : { role: 'worker', id: worker.workerId, name: worker.name };

function follow(order: Order, step: FieldStep): Progress | undefined {
  const before = order.progress;
  const { assignmentId, worker, at } = step.data;
  const inTheField = { assignmentId, worker };
  switch (step.type) {
    case 'order.assigned':
      return isStopped(order) ? undefined : assign(order, step.data);
    case 'order.planted':
      return before.status === 'assigned'
        ? { ...before, ...inTheField, status: 'planted', plantedAt: at }
        : undefined;
    case 'order.completed':
      return before.status === 'planted'
        ? { ...before, ...inTheField, status: 'completed', completedAt: at }
        : undefined;
  }
}

/** An assigned order keeps its worker, unless an admin reassigns it; completed orders keep theirs. */
function assign(
  order: Order,
  { assignmentId, worker, at, by }: EventData<'order.assigned'>,
): Progress | undefined {
  const before = order.progress;
  if (before.status === 'pending') return { status: 'assigned', assignmentId, worker, assignedAt: at };
  if (before.status === 'completed' || (before.worker && !by)) return undefined;
  return { ...before, assignmentId, worker, ...(before.status === 'assigned' && { assignedAt: at }) };
}

const takenOver = (order: Order, { data: { worker } }: FieldStep) => {
  const before = workerOf(order);
  return { ...(before && { fromWorker: before.name }), toWorker: worker.name };
};

const placeOf = ({ location, coordinates }: EventData<'order.planted'>): Partial<Order> => ({
  ...(location && { location }),
  ...(coordinates && { coordinates }),
});
