import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { orderToken } from '../../fields.ts';
import { publicOrder } from './views.ts';

export const ordersPublicEndpoints = {
  'GET /api/track/{token}': endpoint({
    service: 'orders',
    summary:
      'An order by its private link. The link may be passed on: it names nobody in full and gives no receipt',
    access: 'public',
    params: z.object({ token: orderToken }),
    response: publicOrder.extend({
      // A reference may contain a personal number.
      manualPayment: publicOrder.shape.manualPayment.unwrap().omit({ referenceNumber: true }).optional(),
    }),
    problems: ['not-found'],
  }),
};
