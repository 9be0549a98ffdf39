import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { customerOrder } from './views.ts';

/** What a customer may ask of the own orders. */
export const ordersCustomerEndpoints = {
  'GET /api/customers/orders': endpoint({
    service: 'orders',
    summary: 'One’s own orders: those of the account’s address, once it is verified',
    access: ['customer'],
    response: z.object({ orders: z.array(customerOrder), emailVerified: z.boolean() }),
  }),
};
