import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  currency,
  cursor,
  email,
  freeText,
  givenAmountMinor,
  orderId,
  orderStatus,
  pageLimit,
  personName,
  reason,
  requiredText,
  trees,
} from '../../fields.ts';
import { plantingPlace } from '../../planting-place.ts';
import { orderFilter } from './listing.ts';
import { adminOrder, listedOrder } from './views.ts';

const params = z.object({ id: orderId });
const count = z.int().min(0);

/** An empty text clears the field. */
const optionalText = (maxLength: number) => freeText(maxLength).nullable();

/** Admin calls on orders. */
export const ordersAdminEndpoints = {
  'GET /api/admin/orders/manage': endpoint({
    audit: 'order.listed',
    service: 'orders',
    summary:
      'Orders whose money is there, newest first when nothing else is asked for; counts follow all filters but the status, and are lower bounds (`countsAtLeast`) when words or filters find many',
    access: ['admin'],
    permission: 'orders:read',
    query: orderFilter.extend({
      limit: pageLimit(25),
      /** `nextCursor` of the page before. */
      cursor: cursor.optional(),
    }),
    response: z.object({
      orders: z.array(listedOrder),
      nextCursor: z.string().optional(),
      counts: z.object({ all: count, pending: count, assigned: count, planted: count, completed: count }),
      /** True when counting stopped early: `all` and the counts by status are lower bounds. */
      countsAtLeast: z.boolean().optional(),
    }),
  }),
  'GET /api/admin/orders/export': endpoint({
    audit: 'order.exported',
    service: 'orders',
    summary:
      'All orders that the filters find as CSV (UTF-8 with byte order mark), with their receipt numbers, headed in the reader’s language',
    access: ['admin'],
    permission: 'orders:export',
    stepUp: true,
    query: orderFilter,
    binary: 'text/csv',
  }),
  'GET /api/admin/orders/{id}': endpoint({
    service: 'orders',
    summary: 'One order with all that is known of it, and its history',
    access: ['admin'],
    permission: 'orders:read',
    params,
    response: z.object({ order: adminOrder }),
    etag: versionOf,
    problems: ['not-found'],
  }),
  'PUT /api/admin/orders/{id}/status': endpoint({
    audit: 'order.status_changed',
    service: 'orders',
    summary: 'Sets any status; the one it has already changes nothing',
    access: ['admin'],
    permission: 'orders:write',
    params,
    body: z.object({ status: orderStatus, reason: reason.optional() }),
    response: z.object({ order: adminOrder }),
    etag: versionOf,
    problems: ['not-found', 'order-unpaid', 'withdrawal-open', 'return-open'],
  }),
  'PUT /api/admin/orders/{id}': endpoint({
    audit: 'order.edited',
    service: 'orders',
    summary: 'Edits an order; fields that are left out stay. With If-Match only the version that was read',
    access: ['admin'],
    permission: 'orders:write',
    params,
    body: z.object({
      trees: trees.optional(),
      /** Minor units. */
      amount: givenAmountMinor.optional(),
      currency: currency.optional(),
      customerEmail: email.optional(),
      customerName: personName.optional(),
      /** Empty or null clears the field. */
      location: optionalText(500).optional(),
      /** A place in Colombia. */
      coordinates: plantingPlace.nullable().optional(),
      notes: optionalText(5000).optional(),
    }),
    response: z.object({ order: adminOrder }),
    etag: versionOf,
    problems: ['not-found', 'precondition-failed'],
  }),
  'POST /api/admin/orders/{id}/notes': endpoint({
    audit: 'order.noted',
    service: 'orders',
    summary: 'Adds an internal note, which admins alone see',
    access: ['admin'],
    permission: 'notes:write',
    params,
    body: z.object({ text: requiredText(5000) }),
    status: 201,
    response: z.object({ order: adminOrder }),
    problems: ['not-found'],
    idempotent: true,
  }),
};

function versionOf({ order }: { order: z.output<typeof adminOrder> }): string {
  return String(order.version);
}
