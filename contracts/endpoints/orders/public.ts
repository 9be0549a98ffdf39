import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { orderToken } from '../../fields.ts';
import { publicOrder } from './views.ts';

/** What anybody may ask of orders. */
export const ordersPublicEndpoints = {
  'GET /api/stats': endpoint({
    service: 'orders',
    summary: 'Trees in planted or completed orders, on top of the configured baseline',
    access: 'public',
    response: z.object({ treesPlanted: z.int() }),
  }),
  'GET /api/track/{token}': endpoint({
    service: 'orders',
    summary: 'An order by its private link',
    access: 'public',
    params: z.object({ token: orderToken }),
    response: publicOrder,
    problems: ['not-found'],
  }),
};
