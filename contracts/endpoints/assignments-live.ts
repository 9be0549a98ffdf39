import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant, orderId, orderStatus } from '../fields.ts';

/** Announces a change of an assignment or its growth visits; clients reload it. */
const assignmentChange = z.object({
  assignmentId: id,
  orderId,
  /** Whether the assignment belongs to the listener now; it may have belonged to them until this change. */
  own: z.boolean(),
  /** Present only for the listener's own assignments. */
  status: orderStatus.optional(),
  updatedAt: instant,
});
export type AssignmentChange = z.infer<typeof assignmentChange>;

export const assignmentsLiveEndpoints = {
  'GET /api/workers/assignments/events': endpoint({
    service: 'assignments',
    summary: 'Changes of one’s own assignments and growth visits, as server-sent events',
    access: ['worker'],
    stream: assignmentChange,
  }),
};
