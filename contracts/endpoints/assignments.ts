import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { coordinates, id, instant, orderId, orderStatus, trees } from '../fields.ts';

const assignment = z.object({
  _id: id,
  orderId,
  status: orderStatus,
  trees,
  customerEmail: z.string(),
  customerName: z.string(),
  location: z.string(),
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
    response: z.object({
      assignments: z.array(assignment),
      stats: z.object({
        totalAssignments: z.int(),
        treesPlanted: z.int(),
        completedOrders: z.int(),
        pendingAssignments: z.int(),
      }),
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
      notes: z.string().trim().max(2000).optional(),
      location: z.string().trim().max(200).optional(),
      coordinates: coordinates.optional(),
    }),
    response: z.object({ assignment }),
    problems: ['not-found', 'transition-not-allowed'],
  }),
  'GET /internal/assignments/{id}': endpoint({
    service: 'assignments',
    summary: 'Whose assignment this is and whether it takes photos',
    access: 'service',
    params: z.object({ id }),
    response: z.object({ assignmentId: id, orderId, workerId: id, status: orderStatus }),
    problems: ['not-found'],
  }),
};
