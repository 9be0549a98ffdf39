import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { instant, orderId, orderStatus, orderToken } from '../../fields.ts';

/** Announces a change of an order; clients reload it. */
const orderChange = z.object({
  orderId,
  status: orderStatus,
  /** Incremented by every change of status or worker. */
  revision: z.int(),
  updatedAt: instant,
});
export type OrderChange = z.infer<typeof orderChange>;

export const ordersLiveEndpoints = {
  'GET /api/track/{token}/events': endpoint({
    service: 'orders',
    summary: 'Changes of the order of a private link, as server-sent events',
    access: 'public',
    params: z.object({ token: orderToken }),
    stream: orderChange,
    problems: ['not-found'],
    limit: { max: 60, windowSeconds: 60 },
  }),
  'GET /api/customers/orders/events': endpoint({
    service: 'orders',
    summary: 'Changes of one’s own orders, as server-sent events; none until the address is verified',
    access: ['customer'],
    stream: orderChange,
  }),
  'GET /api/admin/orders/events': endpoint({
    service: 'orders',
    summary: 'Changes of all orders, as server-sent events',
    access: ['admin'],
    permission: 'orders:read',
    stream: orderChange,
  }),
};
