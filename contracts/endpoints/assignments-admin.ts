import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  actor,
  coordinates,
  cursor,
  id,
  instant,
  orderId,
  orderStatus,
  pageLimit,
  reason,
  trees,
  worker,
} from '../fields.ts';
import { growthVisit } from './growth-visits.ts';

const adminAssignment = z.object({
  _id: id,
  orderId,
  status: orderStatus,
  trees,
  /** Incremented by every decision on the order; the ETag. */
  revision: z.int(),
  worker: worker.extend({ active: z.boolean() }).optional(),
  /** Unassigned, or assigned to a worker who is no longer active. */
  isWaiting: z.boolean(),
  /** Refunded before planting: nobody may plant it. */
  isWithdrawn: z.boolean(),
  orderedAt: instant,
  assignedAt: instant.optional(),
  plantedAt: instant.optional(),
  completedAt: instant.optional(),
  location: z.string().optional(),
  coordinates: coordinates.extend({ accuracyMetres: z.number().optional() }).optional(),
  notes: z.string().optional(),
  /** Growth updates; those that wait for the planting have no date. */
  visits: z.array(
    growthVisit.omit({ trees: true, location: true, plot: true, coordinates: true }).extend({
      state: z.enum(['waiting', 'scheduled', 'due', 'done', 'cancelled']),
      worker: worker.optional(),
    }),
  ),
  /** Earlier assignments, oldest first; an entry without a worker means the order was taken back. */
  history: z.array(
    z.object({ at: instant, worker: worker.optional(), by: actor, reason: z.string().optional() }),
  ),
});

const workload = z.object({
  workerId: id,
  code: z.string(),
  name: z.string(),
  region: z.string(),
  active: z.boolean(),
  capacityTrees: z.int(),
  /** Trees of assigned and planted assignments that are not completed. */
  openTrees: z.int(),
  openAssignments: z.int(),
  /** Remaining capacity; 0 for inactive workers. */
  freeTrees: z.int(),
  visitsDue: z.int(),
  /** Trees of planted and completed assignments. */
  treesPlanted: z.int(),
  /** Present only when `orderId` is given. */
  candidate: z.object({ inRegion: z.boolean(), hasRoom: z.boolean(), hasIt: z.boolean() }).optional(),
});

const ofOrder = { params: z.object({ id: orderId }), access: ['admin'], service: 'assignments' } as const;
const revisionOf = (answer: { assignment: { revision: number } }) => String(answer.assignment.revision);

export const assignmentsAdminEndpoints = {
  'GET /api/admin/orders/{id}/assignment': endpoint({
    ...ofOrder,
    permission: 'orders:read',
    summary: 'Who plants an order, who had it before, and its growth visits',
    response: z.object({ assignment: adminAssignment }),
    etag: revisionOf,
    problems: ['not-found'],
  }),
  'PUT /api/admin/orders/{id}/assignment': endpoint({
    ...ofOrder,
    permission: 'assignments:write',
    audit: 'order.assigned',
    summary:
      'Give an order to a worker, whoever had it before (then with a reason). The same worker again changes nothing. A capacity may be overruled: the answer says by how much.',
    body: z.object({ workerId: id, reason: reason.optional() }),
    response: z.object({
      assignment: adminAssignment,
      changed: z.boolean(),
      /** The worker's open trees beyond their capacity; 0 when all fit. */
      overCapacityTrees: z.int(),
    }),
    etag: revisionOf,
    problems: [
      'not-found',
      'conflict',
      'precondition-failed',
      'order-unpaid',
      'order-completed',
      'order-withdrawn',
    ],
  }),
  'GET /api/admin/workers/workloads': endpoint({
    audit: 'worker.workloads_listed',
    service: 'assignments',
    summary: 'What workers have to do: by code, or with `orderId` the active ones, best first for that order',
    access: ['admin'],
    permission: 'workers:read',
    query: z.object({ orderId: orderId.optional(), limit: pageLimit(50), cursor: cursor.optional() }),
    response: z.object({ workers: z.array(workload), nextCursor: z.string().optional() }),
    problems: ['not-found'],
  }),
};
