import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, freeText, orderId, orderToken, reason } from '../../fields.ts';
import { linkedOrder } from './public.ts';
import { adminOrder, customerOrder } from './views.ts';

const byLink = z.object({ token: orderToken });
const byId = z.object({ id: orderId });
const why = { reason: freeText(1000).optional() };
const REFUSALS = [
  'not-found',
  'order-unpaid',
  'order-refunded',
  'order-disputed',
  'withdrawal-planted',
  'withdrawal-too-late',
] as const;
const BY_LINK_REFUSALS = ['withdrawal-erased', 'too-many-requests'] as const;
/** Addresses cannot be tried in numbers. */
const limit = { max: 30, windowSeconds: 600 };

/** Withdrawal by the donor within the legal time: services/orders/withdrawal/deadline.ts names the laws. */
export const ordersWithdrawalEndpoints = {
  'POST /api/track/{token}/withdrawal': endpoint({
    service: 'orders',
    summary:
      'Withdraws from a purchase, for whoever knows the private link of the order and the email address that it was made ' +
      'with: within 14 days of paying, or five business days (of Colombia) if they end later, and before planting. Nobody ' +
      'plants it from then on, and all of the money is refunded within 14 days. Asking again changes nothing',
    access: 'public',
    params: byLink,
    body: z.object({ email, ...why }),
    response: z.object({ order: linkedOrder }),
    problems: [...REFUSALS, ...BY_LINK_REFUSALS],
    limit,
  }),
  'POST /api/track/{token}/withdrawal/retract': endpoint({
    service: 'orders',
    summary: 'Keeps the order after all, until its refund begins. Without a withdrawal it changes nothing',
    access: 'public',
    params: byLink,
    body: z.object({ email }),
    response: z.object({ order: linkedOrder }),
    problems: ['not-found', 'order-refunded', 'refund-begun', ...BY_LINK_REFUSALS],
    limit,
  }),
  'POST /api/customers/orders/{id}/withdrawal': endpoint({
    service: 'orders',
    summary: 'The same for one’s own order',
    access: ['customer'],
    params: byId,
    body: z.object(why),
    response: z.object({ order: customerOrder }),
    problems: REFUSALS,
    limit,
  }),
  'POST /api/customers/orders/{id}/withdrawal/retract': endpoint({
    service: 'orders',
    summary: 'Keeps one’s own order after all',
    access: ['customer'],
    params: byId,
    response: z.object({ order: customerOrder }),
    problems: ['not-found', 'order-refunded', 'refund-begun'],
    limit,
  }),
  'POST /api/admin/orders/{id}/withdrawal/retract': endpoint({
    service: 'orders',
    summary: 'Keeps an order whose donor asked the team for that. A refund answers a withdrawal otherwise',
    access: ['admin'],
    permission: 'refunds:write',
    stepUp: true,
    audit: 'order.withdrawal_retracted',
    params: byId,
    body: z.object({ reason }),
    response: z.object({ order: adminOrder }),
    problems: ['not-found', 'order-refunded', 'refund-begun'],
  }),
};
