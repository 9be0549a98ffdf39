import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { coordinates, cursor, freeText, id, instant, orderId, orderStatus, trees } from '../fields.ts';
import { ORDER_STATUSES } from '../order.ts';
import { refuseOtherPlaces } from '../planting-place.ts';
import { assignmentsAdminEndpoints } from './assignments-admin.ts';
import { assignmentsLiveEndpoints } from './assignments-live.ts';
import { growthVisitsEndpoints } from './growth-visits.ts';

/** One page may hold all open work, which capacity bounds. */
const MAX_ASSIGNMENTS = 500;

const assignment = z.object({
  _id: id,
  orderId,
  status: orderStatus,
  trees,
  customerEmail: z.string(),
  customerName: z.string(),
  location: z.string(),
  /** Place as entered; absent while `location` only names the worker's region. */
  plot: z.string().optional(),
  coordinates: coordinates.optional(),
  assignedAt: instant,
  plantedAt: instant.optional(),
  completedAt: instant.optional(),
  notes: z.string().optional(),
  /** Filenames for GET /api/photos/{filename}. */
  photos: z.array(z.string()),
});

export const assignmentsEndpoints = {
  'GET /api/workers/assignments': endpoint({
    service: 'assignments',
    summary: 'One’s own assignments, what is to be done first',
    access: ['worker'],
    query: z.object({
      status: z.enum(['assigned', 'planted', 'completed']).optional(),
      /** Part of an order’s id, a customer’s name or address, or a place. */
      q: freeText(100).optional(),
      limit: z.coerce.number().int().min(1).max(MAX_ASSIGNMENTS).default(MAX_ASSIGNMENTS),
      cursor: cursor.optional(),
    }),
    response: z.object({
      assignments: z.array(assignment),
      stats: z.object({
        totalAssignments: z.int(),
        treesPlanted: z.int(),
        completedOrders: z.int(),
        pendingAssignments: z.int(),
      }),
      /** Present when more rows exist. */
      nextCursor: z.string().optional(),
    }),
  }),
  'PUT /api/workers/assignments/{id}/status': endpoint({
    service: 'assignments',
    summary:
      'Move an assignment forward: assigned → planted → completed. The same status again changes nothing.',
    access: ['worker'],
    params: z.object({ id }),
    body: z.object({
      status: z.enum(['planted', 'completed']),
      notes: freeText(2000).optional(),
      location: freeText(200).optional(),
      /** A place in Colombia. */
      coordinates: coordinates
        .extend({ accuracyMetres: z.number().min(0).max(1_000_000).optional() })
        .superRefine(refuseOtherPlaces)
        .optional(),
    }),
    response: z.object({ assignment }),
    problems: ['not-found', 'transition-not-allowed', 'assigned-to-another'],
  }),
  'GET /internal/assignments/{id}': endpoint({
    service: 'assignments',
    summary: 'Whose assignment this is and was, whether it takes photos, and where the trees stand',
    access: { services: ['media'] },
    params: z.object({ id }),
    response: z.object({
      assignmentId: id,
      orderId,
      /** Current worker; absent when nobody has it. */
      workerId: id.optional(),
      formerWorkerIds: z.array(id),
      status: z.enum([...ORDER_STATUSES, 'withdrawn']),
      /** When the order was paid. */
      orderedAt: instant,
      coordinates: coordinates.optional(),
    }),
    problems: ['not-found'],
  }),
  ...growthVisitsEndpoints,
  ...assignmentsAdminEndpoints,
  ...assignmentsLiveEndpoints,
};
