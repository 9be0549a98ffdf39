import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { orderToken } from '../../fields.ts';
import { publicOrder } from './views.ts';

/** What anybody may ask of orders. */
export const ordersPublicEndpoints = {
  'GET /api/track/{token}': endpoint({
    service: 'orders',
    summary:
      'An order by its private link. The link may be passed on: it names nobody in full and gives no receipt',
    access: 'public',
    params: z.object({ token: orderToken }),
    response: publicOrder.extend({
      // A reference may hold a number that stands for a person.
      manualPayment: publicOrder.shape.manualPayment.unwrap().omit({ referenceNumber: true }).optional(),
    }),
    problems: ['not-found'],
  }),
};
