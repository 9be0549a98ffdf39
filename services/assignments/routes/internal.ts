import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { assignmentsEndpoints } from '@arboleda/contracts/endpoints/assignments.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { assignmentIdOf, formerWorkerIds, plainCoordinates } from '../assignment/assignment.ts';
import { orderIdOfVisit, visitOf, visitorOf } from '../growth/purchase.ts';
import { stateOf } from '../growth/rows.ts';
import type { AssignmentStore } from '../store.ts';

type InternalEndpoints = Pick<
  typeof assignmentsEndpoints,
  'GET /internal/assignments/{id}' | 'GET /internal/growth-visits/{id}'
>;

/** A planter who comes by may make a visit this much before its day: rounds are long. */
const EARLY_MS = 14 * 86_400_000;

/** What other services ask. What was never anybody's cannot be found by anybody. */
export const internalRoutes = (store: AssignmentStore, clock: () => Date): Handlers<InternalEndpoints> => ({
  async 'GET /internal/assignments/{id}'({ params }) {
    const assignment = await store.assignments.get(params.id);
    if (!assignment) throw new Problem('not-found');
    const { _id: assignmentId, orderId, progress, orderedAt } = assignment;
    const { worker, status } = progress;
    const former = formerWorkerIds(assignment, worker?.workerId);
    if (status === 'unpaid' || (!worker && former.length === 0)) throw new Problem('not-found');
    return {
      ...{ assignmentId, orderId, workerId: worker?.workerId, status, orderedAt },
      formerWorkerIds: former,
      coordinates: plainCoordinates(assignment),
    };
  },

  async 'GET /internal/growth-visits/{id}'({ params }) {
    const orderId = orderIdOfVisit(params.id);
    const assignment = orderId && (await store.assignments.get(assignmentIdOf(orderId)));
    const visit = assignment && visitOf(assignment, params.id)?.visit;
    const visitor = visit && visitorOf(assignment, visit);
    if (!orderId || !visitor) throw new Problem('not-found');
    return {
      ...{ visitId: visit.visitId, orderId, assignmentId: assignment._id, workerId: visitor.workerId },
      formerWorkerIds: formerWorkerIds(assignment, visitor.workerId),
      // One of a package that was stopped as if it were not: what was done is kept.
      state: stateOf(visit, new Date(clock().getTime() + EARLY_MS).toISOString()),
      orderedAt: assignment.orderedAt,
      coordinates: plainCoordinates(assignment),
    };
  },
});
