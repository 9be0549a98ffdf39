import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { orderId, orderStatus } from '../../fields.ts';
import { adminOrder } from './views.ts';

/** What an admin may ask of orders, and do to them. */
export const ordersAdminEndpoints = {
  'GET /api/admin/orders/manage': endpoint({
    service: 'orders',
    summary: 'Orders, newest first',
    access: ['admin'],
    query: z.object({
      status: orderStatus.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(25),
      /** `nextCursor` of the page before. */
      cursor: z.string().max(200).optional(),
    }),
    response: z.object({
      orders: z.array(adminOrder.omit({ timeline: true })),
      nextCursor: z.string().optional(),
      counts: z.object({
        all: z.int(),
        pending: z.int(),
        assigned: z.int(),
        planted: z.int(),
        completed: z.int(),
      }),
    }),
  }),
  'GET /api/admin/orders/{id}': endpoint({
    service: 'orders',
    summary: 'One order with its timeline',
    access: ['admin'],
    params: z.object({ id: orderId }),
    response: z.object({ order: adminOrder }),
    problems: ['not-found'],
  }),
};
