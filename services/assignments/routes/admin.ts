import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { type Assignment, assignmentIdOf } from '../assignment/assignment.ts';
import { decideAdminAssignment } from '../assignment/steps.ts';
import type { AssignmentStore } from '../store.ts';
import { handOver } from '../workers/review.ts';
import { type WorkerProfile, workerOf } from '../workers/worker.ts';
import { adminView } from './views.ts';
import { workloads } from './workloads.ts';

type AdminEndpoints = Pick<
  typeof assignmentsEndpoints,
  | 'GET /api/admin/orders/{id}/assignment'
  | 'PUT /api/admin/orders/{id}/assignment'
  | 'GET /api/admin/workers/workloads'
>;

/** What an admin sees of field work, and decides. */
export function adminRoutes(store: AssignmentStore, clock: () => Date): Handlers<AdminEndpoints> {
  const shown = async (assignment: Assignment) => {
    const { worker } = assignment.progress;
    const profile = worker && (await store.workers.get(worker.workerId));
    return adminView(assignment, profile?.active ?? false, clock().toISOString());
  };

  return {
    async 'GET /api/admin/orders/{id}/assignment'({ params }) {
      const assignment = await store.assignments.get(assignmentIdOf(params.id));
      if (!assignment || assignment.progress.status === 'unpaid') throw new Problem('not-found');
      return { assignment: await shown(assignment) };
    },

    async 'PUT /api/admin/orders/{id}/assignment'({ params, body, person, ifMatch }) {
      const id = assignmentIdOf(params.id);
      const seen = await store.assignments.get(id);
      if (!seen) throw new Problem('not-found');
      const { statusRevision: seenRevision } = seen;
      if (ifMatch !== undefined && ifMatch !== String(seenRevision)) throw new Problem('precondition-failed');
      const worker = workerOf(await known(store, body.workerId, seen));

      const by: Actor = { role: 'admin', id: person.id, name: person.name };
      let changed = false;
      const given = await handOver(store, id, worker.workerId, (current) => {
        const step = { worker, by, seenRevision, reason: body.reason };
        const change = decideAdminAssignment(current, step, clock().toISOString());
        changed = change !== undefined;
        return change;
      });
      return {
        assignment: await shown(given!),
        changed,
        overCapacityTrees: changed ? await overCapacity(store, worker.workerId) : 0,
      };
    },

    'GET /api/admin/workers/workloads': ({ query }) => workloads(store, clock, query),
  };
}

/** Whoever has it already may have it again, also when they do not work any more. */
async function known(store: AssignmentStore, workerId: string, seen: Assignment): Promise<WorkerProfile> {
  const profile = await store.workers.get(workerId);
  if (!profile || (!profile.active && seen.progress.worker?.workerId !== workerId)) {
    throw fieldProblem('workerId', 'worker-unavailable');
  }
  return profile;
}

async function overCapacity(store: AssignmentStore, workerId: string): Promise<number> {
  const [profile, openTrees] = await Promise.all([store.workers.get(workerId), store.openTrees(workerId)]);
  return Math.max(0, openTrees - (profile?.capacityTrees ?? 0));
}
