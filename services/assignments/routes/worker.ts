import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { isStaffed } from '../assignment/assignment.ts';
import { decideWorkerStep } from '../assignment/steps.ts';
import type { AssignmentStore } from '../store.ts';
import { assignmentView, visitView } from './views.ts';

type WorkerEndpoints = Pick<
  typeof assignmentsEndpoints,
  | 'GET /api/workers/assignments'
  | 'PUT /api/workers/assignments/{id}/status'
  | 'GET /api/workers/growth-visits'
>;

/** What a worker does. */
export const workerRoutes = (store: AssignmentStore, clock: () => Date): Handlers<WorkerEndpoints> => ({
  async 'GET /api/workers/assignments'({ person, query }) {
    const [{ items, nextCursor }, stats] = await Promise.all([
      store.ofWorker(person.id, query),
      store.stats(person.id),
    ]);
    return { assignments: items.map(assignmentView), stats, ...(nextCursor && { nextCursor }) };
  },

  async 'PUT /api/workers/assignments/{id}/status'({ params, body, person }) {
    const assignment = await store.change(params.id, (current) =>
      decideWorkerStep(current, person.id, body, clock().toISOString()),
    );
    if (!assignment || !isStaffed(assignment)) throw new Problem('not-found');
    return { assignment: assignmentView(assignment) };
  },

  async 'GET /api/workers/growth-visits'({ person, query }) {
    const now = clock().toISOString();
    const [{ items, nextCursor }, counts] = await Promise.all([
      store.visitsOf(person.id, now, query),
      store.visitCounts(person.id, now),
    ]);
    return { visits: items.map((row) => visitView(row, now)), counts, ...(nextCursor && { nextCursor }) };
  },
});
