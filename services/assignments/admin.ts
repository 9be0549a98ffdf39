import { changedFields } from '@arboleda/chassis/audit/audit.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { type Assignment, assignmentIdOf } from './assignment/assignment.ts';
import { decideAdminAssignment } from './assignment/steps.ts';
import { type Page, type PageQuery, readPage, type Section } from './pages.ts';
import type { AssignmentStore, FieldLists } from './store.ts';
import { adminView, workloadView } from './views.ts';
import {
  hasRoom,
  isInRegion,
  rankFor,
  workerOf,
  WorkerUnavailable,
  type WorkerWithLoad,
} from './workers/worker.ts';

type AdminEndpoints = Pick<
  typeof assignmentsEndpoints,
  | 'GET /api/admin/orders/{id}/assignment'
  | 'PUT /api/admin/orders/{id}/assignment'
  | 'GET /api/admin/workers/workloads'
>;
type Workloads = ApiResponse<'GET /api/admin/workers/workloads'>;

/** The admin's views of field work, and their decisions. */
export function adminRoutes(
  store: AssignmentStore & FieldLists,
  clock: () => Date,
): Handlers<AdminEndpoints> {
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
      const profile = await store.workers.get(body.workerId);
      // The current worker may be confirmed, even when inactive.
      const isTheirs = seen.progress.worker?.workerId === body.workerId;
      if (!profile || (!profile.active && !isTheirs)) throw new WorkerUnavailable();

      const by: Actor = { role: 'admin', id: person.id, name: person.name };
      const step = { worker: workerOf(profile), by, seenRevision, reason: body.reason };
      let changed = false;
      const decide = (current: Assignment | undefined) => {
        const change = decideAdminAssignment(current, step, clock().toISOString());
        changed = change !== undefined;
        return change && { ...change, audit: [audited(current, change.record, body.reason !== undefined)] };
      };
      const given = await store.change(id, decide, { needs: 'active' });
      const { openTrees = 0, capacityTrees = 0 } = (await store.worker(body.workerId)) ?? {};
      return {
        assignment: await shown(given!),
        changed,
        overCapacityTrees: changed ? Math.max(0, openTrees - capacityTrees) : 0,
      };
    },

    'GET /api/admin/workers/workloads': ({ query }) => workloads(store, clock().toISOString(), query),
  };
}

const audited = (before: Assignment | undefined, after: Assignment, hasReason: boolean) => ({
  object: { type: 'order', id: after.orderId } as const,
  orderId: after.orderId,
  ...changedFields(auditFields(before), auditFields(after)),
  withheld: hasReason ? ['reason'] : [],
});

const auditFields = (assignment: Assignment | undefined) => ({
  worker: assignment?.progress.worker?.code,
  status: assignment?.progress.status,
});

/** All workers by code; for an order, active workers ranked by fit. @throws Problem `not-found` */
async function workloads(
  store: AssignmentStore & FieldLists,
  now: string,
  { orderId, ...query }: PageQuery & { orderId?: string | undefined },
): Promise<Workloads> {
  const answer = async (
    { items, nextCursor }: Page<WorkerWithLoad>,
    candidate?: (worker: WorkerWithLoad) => Workloads['workers'][number]['candidate'],
  ): Promise<Workloads> => {
    const due = await store.visitsDue(
      items.map(({ id }) => id),
      now,
    );
    return {
      workers: items.map((worker) => ({
        ...workloadView(worker, due.get(worker.id) ?? 0),
        ...(candidate && { candidate: candidate(worker) }),
      })),
      ...(nextCursor && { nextCursor }),
    };
  };

  if (orderId === undefined) return answer(await store.workersByCode(query));
  const order = await store.assignments.get(assignmentIdOf(orderId));
  if (!order) throw new Problem('not-found');
  const ranked = rankFor(order, await store.roster());
  return answer(await readPage([ranking(ranked)], query), (worker) => ({
    inRegion: isInRegion(worker, order),
    hasRoom: hasRoom(worker, order),
    hasIt: order.progress.worker?.workerId === worker.id,
  }));
}

/** The ranking is computed for each page; a page starts after the worker that ended the previous one. */
const ranking = (ranked: readonly WorkerWithLoad[]): Section<WorkerWithLoad> => ({
  name: 'ranking',
  async read({ limit, after }) {
    const start = after ? ranked.findIndex(({ id }) => id === after[1]) + 1 : 0;
    return ranked.slice(start, start + limit);
  },
  placeOf: ({ code, id }) => [code, id],
});
