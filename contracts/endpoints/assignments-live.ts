import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant, orderId, orderStatus } from '../fields.ts';

/** Says that an assignment, or its growth visits, have changed; whoever listens reads them again. */
const assignmentChange = z.object({
  assignmentId: id,
  orderId,
  /** Whether it is the listener's now; it may have been until now. */
  own: z.boolean(),
  /** Of one's own. */
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
