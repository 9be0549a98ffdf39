import { type ChangeFeed, openChangeFeed } from '@arboleda/chassis/live/change-feed.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type {
  AssignmentChange,
  assignmentsLiveEndpoints,
} from '@arboleda/contracts/endpoints/assignments-live.ts';
import { type Assignment, isStaffed } from './assignment/assignment.ts';
import { holdingsOf } from './assignment/progress.ts';
import { visitorOf } from './growth/purchase.ts';
import type { FieldLists } from './store.ts';

export type AssignmentChanges = ChangeFeed<Assignment>;

export const openAssignmentChanges = (
  { changedSince }: Pick<FieldLists, 'changedSince'>,
  parts: { clock: () => Date; logger: Logger },
): AssignmentChanges =>
  openChangeFeed<Assignment>({ ...parts, changedSince, versionOf: ({ updatedAt }) => updatedAt });

/** A change for a worker: the assignment became theirs, changed, or was taken from them. */
function changeFor(workerId: string, assignment: Assignment): AssignmentChange | undefined {
  const { id, orderId, updatedAt } = assignment;
  const about = { assignmentId: id, orderId, updatedAt };
  if (isStaffed(assignment) && assignment.progress.worker.workerId === workerId) {
    return { ...about, own: true, status: assignment.progress.status };
  }
  const hadIt = holdingsOf(assignment)
    .slice(-2)
    .some(({ worker }) => worker?.workerId === workerId);
  const visitsIt = assignment.growth
    .flatMap(({ visits }) => visits)
    .some((visit) => visitorOf(assignment, visit)?.workerId === workerId);
  return hadIt || visitsIt ? { ...about, own: false } : undefined;
}

/** Server-sent events that an assignment has changed; the worker's app then reads it. */
export const liveRoutes = (changes: AssignmentChanges): Handlers<typeof assignmentsLiveEndpoints> => ({
  'GET /api/workers/assignments/events': async ({ person, signal }) =>
    changes.listen({
      who: person.id,
      signal,
      messageOf: (assignment) => changeFor(person.id, assignment),
    }),
});
