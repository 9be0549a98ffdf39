import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { type Assignment, decideWorkerStep, isStaffed, type Staffed } from './assignment.ts';
import type { AssignmentStore } from './store.ts';
import { assignmentView } from './views.ts';

export function routes(store: AssignmentStore, clock: () => Date): Handlers<typeof assignmentsEndpoints> {
  return {
    async 'GET /api/workers/assignments'({ person }) {
      const [assignments, stats] = await Promise.all([store.ofWorker(person.id), store.stats(person.id)]);
      return { assignments: assignments.map(assignmentView), stats };
    },

    async 'PUT /api/workers/assignments/{id}/status'({ params, body, person }) {
      const assignment = await store.assignments.change(params.id, (current) =>
        decideWorkerStep(current, person.id, body, clock().toISOString()),
      );
      return { assignment: assignmentView(staffed(assignment)) };
    },

    async 'GET /internal/assignments/{id}'({ params }) {
      const { _id, orderId, progress } = staffed(await store.assignments.get(params.id));
      return { assignmentId: _id, orderId, workerId: progress.worker.workerId, status: progress.status };
    },
  };
}

/** What is nobody's yet cannot be found by anybody. */
function staffed(assignment: Assignment | undefined): Staffed {
  if (!assignment || !isStaffed(assignment)) throw new Problem('not-found');
  return assignment;
}
