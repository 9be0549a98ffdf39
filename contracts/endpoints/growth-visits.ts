import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { coordinates, cursor, id, instant, orderId, pageLimit, photoPackageType, trees } from '../fields.ts';

/** `due`: on its day and after; `scheduled`: later; `done`: photos have arrived. */
const GROWTH_VISIT_STATES = ['due', 'scheduled', 'done'] as const;
const state = z.enum(GROWTH_VISIT_STATES);

/** One update of a photo package: a worker visits the trees and takes photos. */
export const growthVisit = z.object({
  _id: id,
  orderId,
  assignmentId: id,
  purchaseId: id,
  photoPackageType,
  number: z.int(),
  of: z.int(),
  state,
  dueAt: instant.optional(),
  doneAt: instant.optional(),
  trees,
  location: z.string(),
  /** Place as entered; absent while `location` only names the worker's region. */
  plot: z.string().optional(),
  coordinates: coordinates.optional(),
  /** Filenames of this visit for GET /api/photos/{filename}. */
  photos: z.array(z.string()),
  reminders: z.int(),
});

export const growthVisitsEndpoints = {
  'GET /api/workers/growth-visits': endpoint({
    service: 'assignments',
    summary: 'One’s own growth visits: due ones first, then those to come, then those done',
    access: ['worker'],
    query: z.object({ state: state.optional(), limit: pageLimit(50), cursor: cursor.optional() }),
    response: z.object({
      visits: z.array(growthVisit),
      counts: z.object({ due: z.int(), scheduled: z.int(), done: z.int() }),
      nextCursor: z.string().optional(),
    }),
  }),
  'GET /internal/growth-visits/{id}': endpoint({
    service: 'assignments',
    summary: 'Whose growth visit this is and was, whether it takes photos, and where the trees stand',
    access: { services: ['media'] },
    params: z.object({ id }),
    response: z.object({
      visitId: id,
      orderId,
      assignmentId: id,
      workerId: id,
      /** Earlier workers of the order. */
      formerWorkerIds: z.array(id),
      /**
       * `waiting`: its trees are not planted. `due`: from two weeks before its day, when photos may be taken. A visit
       * cancelled later keeps its photos.
       */
      state: z.enum(['waiting', ...GROWTH_VISIT_STATES]),
      /** When the order was paid. */
      orderedAt: instant,
      coordinates: coordinates.optional(),
    }),
    problems: ['not-found'],
  }),
};
