import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { notYet, type Order } from './order.ts';
import type { TimelineEntry } from './timeline.ts';

/**
 * Records that a former worker reports a step, once for each worker and step: the trees may stand, and be planted
 * twice.
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decideLateStep(
  current: Order | undefined,
  { orderId, worker, step, notes, location, coordinates, at }: EventData<'order.late_step'>,
): Change<Order> | undefined {
  if (!current) throw notYet(orderId);
  const isKnown = current.timeline.some(
    (entry) => entry.type === 'reported' && entry.to === step && entry.by.id === worker.workerId,
  );
  if (isKnown) return undefined;
  const place = coordinates && `${coordinates.latitude}, ${coordinates.longitude}`;
  const note = [notes, location, place].filter(Boolean).join(' · ');
  const line: TimelineEntry = {
    at,
    by: { role: 'worker', id: worker.workerId, name: worker.name },
    type: 'reported',
    to: step,
    ...(note && { note }),
  };
  return { record: { ...current, timeline: [...current.timeline, line] } };
}
