import type { Change } from '@arboleda/chassis/records.ts';
import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { type Assignment, assignmentIdOf } from './assignment/assignment.ts';
import { decideConvergence } from './assignment/convergence.ts';
import {
  decideAnnouncement,
  decidePhoto,
  decideUpdate,
  decideVisibility,
} from './assignment/order-events.ts';
import { decidePackageStatus, decidePurchase } from './growth/purchase.ts';
import type { AssignmentStore } from './store.ts';
import { openIntake } from './workers/dispatch.ts';
import { decideProfile } from './workers/worker.ts';

type OrderEvent = { id: string; data: { orderId: string } };
type Decision = (current: Assignment | undefined) => Change<Assignment> | undefined;

/**
 * Events that assignments consumes. Each event's effect and its id are one write, so a second delivery
 * changes nothing.
 */
export function consumers(
  store: Pick<AssignmentStore, 'change' | 'workers' | 'roster'>,
  jobs: Pick<Jobs, 'enqueue'>,
  clock: () => Date,
): EventHandlers {
  const { change, workers } = store;
  const profile = async (event: ArboledaEvent<'worker.registered' | 'worker.updated'>) => {
    await workers.change(event.data.workerId, (current) => decideProfile(current, event), {
      eventId: event.id,
    });
  };
  const on = async ({ id, data }: OrderEvent, decide: Decision, { isNew = false } = {}) => {
    await change(assignmentIdOf(data.orderId), decide, { eventId: id, isNew });
  };
  const visibility = (event: ArboledaEvent<'photo.hidden' | 'photo.restored'>) =>
    on(event, (current) =>
      decideVisibility(current, {
        photoId: event.data.photoId,
        isHidden: event.type === 'photo.hidden',
        sequence: event.sequence,
      }),
    );
  return {
    'worker.registered': profile,
    'worker.updated': profile,
    'payment.submitted': (event) =>
      on(event, (current) => decideAnnouncement(current, event.data), { isNew: true }),
    'order.created': openIntake(store, jobs, clock),
    'order.updated': (event) => on(event, (current) => decideUpdate(current, event.data, event.sequence)),
    'order.status_changed': (event) => on(event, (current) => decideConvergence(current, event.data)),
    'photo.uploaded': (event) => on(event, (current) => decidePhoto(current, event.data)),
    'photo.hidden': visibility,
    'photo.restored': visibility,
    'photo_package.purchased': (event) => on(event, (current) => decidePurchase(current, event.data)),
    'photo_package.status_changed': (event) =>
      on(event, (current) => decidePackageStatus(current, event.data)),
  };
}
