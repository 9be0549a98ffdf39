import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  actor,
  amountMinor,
  coordinates,
  currency,
  instant,
  language,
  orderId,
  orderStatus,
  orderToken,
  packageType,
  paymentMethod,
  trees,
} from '../fields.ts';

const photo = z.object({
  /** For GET /api/photos/{filename}. */
  filename: z.string(), width: z.int(), height: z.int(), takenAt: instant.optional(), uploadedAt: instant,
  coordinates: coordinates.optional(),
}); // prettier-ignore

/** What the private link shows: the trees and their story, no contact details. */
const publicOrder = z.object({
  _id: orderId, shortId: z.string(), token: orderToken, status: orderStatus, trees, packageType, amount: amountMinor, currency,
  /** First name only. */
  customerName: z.string(),
  language,
  createdAt: instant, assignedDate: instant.optional(), plantingDate: instant.optional(),
  photoDate: instant.optional(), completionDate: instant.optional(),
  assignedWorker: z.object({ name: z.string(), region: z.string() }).optional(),
  location: z.string().optional(), coordinates: coordinates.optional(),
  paymentMethod, transactionId: z.string(), card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  photos: z.array(photo),
  timeline: z.array(z.object({ at: instant, type: z.string(), status: orderStatus.optional() })),
}); // prettier-ignore

const adminOrder = publicOrder.extend({
  customerName: z.string(), customerEmail: z.string(), customerPhone: z.string().optional(), customerCountry: z.string().optional(),
  assignedWorker: z.object({ workerId: z.string(), code: z.string(), name: z.string(), email: z.string(), region: z.string() }).optional(),
  notes: z.string().optional(),
  revision: z.int(),
  timeline: z.array(
    z.object({
      at: instant,
      /** "paid", "created", "status_changed", "photo", … */
      type: z.string(),
      by: actor, from: orderStatus.optional(), to: orderStatus.optional(), status: orderStatus.optional(),
      reason: z.string().optional(), note: z.string().optional(),
    }),
  ),
}); // prettier-ignore

const customerOrder = publicOrder.extend({ customerName: z.string(), customerEmail: z.string() });

export const ordersEndpoints = {
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
  'GET /api/customers/orders': endpoint({
    service: 'orders',
    summary: 'One’s own orders: those of the account’s address, once it is verified',
    access: ['customer'],
    response: z.object({ orders: z.array(customerOrder), emailVerified: z.boolean() }),
  }),
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
