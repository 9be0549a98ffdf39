import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { assignmentIdOf, formerWorkerIds, isStaffed, plainCoordinates } from './assignment/assignment.ts';
import { decideLateStep, decideWorkerStep } from './assignment/steps.ts';
import { orderIdOfVisit, visitOf, visitorOf } from './growth/purchase.ts';
import { stateOf } from './growth/visits.ts';
import { type AssignmentChanges, liveRoutes } from './live.ts';
import type { AssignmentStore, FieldLists } from './store.ts';
import { assignmentView, statsView, visitView } from './views.ts';
import { adminRoutes } from './admin.ts';

type Endpoints = typeof assignmentsEndpoints;
type WorkerEndpoints = Pick<
  Endpoints,
  | 'GET /api/workers/assignments'
  | 'PUT /api/workers/assignments/{id}/status'
  | 'GET /api/workers/growth-visits'
>;
type InternalEndpoints = Pick<
  Endpoints,
  'GET /internal/assignments/{id}' | 'GET /internal/growth-visits/{id}'
>;

export const routes = (
  store: AssignmentStore & FieldLists,
  changes: AssignmentChanges,
  clock: () => Date,
): Handlers<Endpoints> => ({
  ...workerRoutes(store, clock),
  ...adminRoutes(store, clock),
  ...internalRoutes(store, clock),
  ...liveRoutes(changes),
});

const workerRoutes = (store: AssignmentStore & FieldLists, clock: () => Date): Handlers<WorkerEndpoints> => ({
  async 'GET /api/workers/assignments'({ person, query }) {
    const [{ items, nextCursor }, load] = await Promise.all([
      store.ofWorker(person.id, query),
      store.loadOf(person.id),
    ]);
    return {
      assignments: items.map(assignmentView),
      stats: statsView(load),
      ...(nextCursor && { nextCursor }),
    };
  },

  async 'PUT /api/workers/assignments/{id}/status'({ params, body, person }) {
    let isLate = false;
    const assignment = await store.change(params.id, (current) => {
      const at = clock().toISOString();
      const late = decideLateStep(current, person.id, body, at);
      isLate = late !== undefined;
      return late ?? decideWorkerStep(current, person.id, body, at);
    });
    if (isLate && assignment) throw new Problem(isStaffed(assignment) ? 'assigned-to-another' : 'conflict');
    if (!assignment || !isStaffed(assignment)) throw new Problem('not-found');
    return { assignment: assignmentView(assignment) };
  },

  async 'GET /api/workers/growth-visits'({ person, query }) {
    const now = clock().toISOString();
    const [{ items, nextCursor }, counts] = await Promise.all([
      store.visitsOf(person.id, now, query),
      store.visitCounts(person.id, now),
    ]);
    return { visits: items.map((visit) => visitView(visit, now)), counts, ...(nextCursor && { nextCursor }) };
  },
});

/** Workers may make a visit this early, as their tours are long. */
const EARLY_MS = 14 * 86_400_000;

/** Endpoints for other services. Assignments that never had a worker are not found. */
const internalRoutes = (
  { assignments }: Pick<AssignmentStore, 'assignments'>,
  clock: () => Date,
): Handlers<InternalEndpoints> => ({
  async 'GET /internal/assignments/{id}'({ params }) {
    const assignment = await assignments.get(params.id);
    if (!assignment) throw new Problem('not-found');
    const { id: assignmentId, orderId, progress, orderedAt } = assignment;
    const { worker, status } = progress;
    const former = formerWorkerIds(assignment, worker?.workerId);
    if (status === 'unpaid' || (!worker && former.length === 0)) throw new Problem('not-found');
    return {
      assignmentId,
      orderId,
      workerId: worker?.workerId,
      status,
      orderedAt,
      formerWorkerIds: former,
      coordinates: plainCoordinates(assignment),
    };
  },

  async 'GET /internal/growth-visits/{id}'({ params }) {
    const orderId = orderIdOfVisit(params.id);
    const assignment = orderId && (await assignments.get(assignmentIdOf(orderId)));
    const visit = assignment && visitOf(assignment, params.id)?.visit;
    const visitor = visit && visitorOf(assignment, visit);
    if (!orderId || !visitor) throw new Problem('not-found');
    return {
      visitId: visit.visitId,
      orderId,
      assignmentId: assignment.id,
      workerId: visitor.workerId,
      formerWorkerIds: formerWorkerIds(assignment, visitor.workerId),
      // A stopped package is treated as active: a visit made is kept.
      state: stateOf(visit, new Date(clock().getTime() + EARLY_MS).toISOString()),
      orderedAt: assignment.orderedAt,
      coordinates: plainCoordinates(assignment),
    };
  },
});
