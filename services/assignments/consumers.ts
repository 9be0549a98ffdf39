import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { assignmentIdOf, decideConvergence, decideCreation, decidePhoto } from './assignment.ts';
import type { AssignmentStore } from './store.ts';
import { decideProfile } from './worker.ts';

/** What assignments listens to. Each event's effect and its id are one write, so a second delivery changes nothing. */
export function consumers({ assignments, workers }: AssignmentStore): EventHandlers {
  const profile = async (event: ArboledaEvent<'worker.registered' | 'worker.updated'>) => {
    await workers.change(event.data.workerId, (current) => decideProfile(current, event), {
      eventId: event.id,
    });
  };
  return {
    'worker.registered': profile,
    'worker.updated': profile,
    async 'order.created'({ id, data }) {
      await assignments.change(assignmentIdOf(data.orderId), (current) => decideCreation(current, data), {
        eventId: id,
      });
    },
    async 'order.status_changed'({ id, data }) {
      await assignments.change(assignmentIdOf(data.orderId), (current) => decideConvergence(current, data), {
        eventId: id,
      });
    },
    async 'photo.uploaded'({ id, data }) {
      await assignments.change(assignmentIdOf(data.orderId), (current) => decidePhoto(current, data), {
        eventId: id,
      });
    },
  };
}
