import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { cursor, freeText, givenAmountMinor, instant, orderId, pageLimit, reason } from '../../fields.ts';
import { listedPayment, moneyAttention, payment, paymentStatus, refund, soldPackage } from './views.ts';

const onePayment = z.object({ payment });
/** Id of a payment, a package purchase or a refund. */
const byOwnId = z.object({ id: z.uuid() });

const giveBack = {
  service: 'payments',
  access: ['admin'],
  permission: 'refunds:write',
  stepUp: true,
  idempotent: true,
  status: 201,
  params: byOwnId,
  body: z.object({
    /** Minor units; the whole remainder when absent. */
    amount: givenAmountMinor.min(1).optional(),
    reason,
    /** Refunded outside Stripe and only recorded here. */
    byHand: z.boolean().default(false),
    /** For a refund outside Stripe whose money is still to be sent: blocks other refunds until its `settlement`. */
    claim: z.boolean().default(false),
  }),
  response: z.object({ refund }),
  problems: ['not-found', 'nothing-to-refund', 'refund-in-hand', 'refund-refused', 'idempotency-conflict'],
} as const;

export const paymentsAdminEndpoints = {
  'GET /api/admin/payments': endpoint({
    audit: 'payment.listed',
    service: 'payments',
    summary: 'Payments by card and by transfer, newest first',
    access: ['admin'],
    permission: 'payments:read',
    query: z.object({
      status: paymentStatus.optional(),
      /** Part of a name or address, of an order or payment id, or of Stripe's or the transfer's reference. */
      q: freeText(120).optional(),
      /** Inclusive lower bound of the start time. */
      from: instant.optional(),
      /** Exclusive upper bound of the start time. */
      to: instant.optional(),
      limit: pageLimit(25),
      cursor: cursor.optional(),
    }),
    response: z.object({ payments: z.array(listedPayment), nextCursor: z.string().optional() }),
  }),
  'GET /api/admin/payments/{id}': endpoint({
    service: 'payments',
    summary: 'One payment with its refunds, disputes, fee and photo packages',
    access: ['admin'],
    permission: 'payments:read',
    params: byOwnId,
    response: onePayment,
    problems: ['not-found'],
  }),
  'GET /api/admin/orders/{id}/payment': endpoint({
    service: 'payments',
    summary: 'The payment of an order',
    access: ['admin'],
    permission: 'payments:read',
    params: z.object({ id: orderId }),
    response: onePayment,
    problems: ['not-found'],
  }),
  'GET /api/admin/photo-packages': endpoint({
    audit: 'photo_package.listed',
    service: 'payments',
    summary: 'Photo packages that were paid, latest purchase first',
    access: ['admin'],
    permission: 'payments:read',
    query: z.object({
      /** Inclusive lower bound of the time of purchase. */
      from: instant.optional(),
      /** Exclusive upper bound of the time of purchase. */
      to: instant.optional(),
      limit: pageLimit(25),
      cursor: cursor.optional(),
    }),
    response: z.object({ photoPackages: z.array(soldPackage), nextCursor: z.string().optional() }),
  }),
  'POST /api/admin/payments/{id}/refunds': endpoint({
    ...giveBack,
    audit: 'refund.made',
    summary:
      'Give money back: a card payment’s through Stripe; of a transfer it is noted that it was sent back',
  }),
  'POST /api/admin/photo-packages/{id}/refunds': endpoint({
    ...giveBack,
    audit: 'refund.made',
    summary:
      'Give money of a photo package back; when nothing is left of it, visits that were not made are cancelled',
  }),
  'POST /api/admin/refunds/{id}/settlement': endpoint({
    audit: 'refund.settled',
    service: 'payments',
    summary:
      'Note that the money of a claimed refund was sent, or that it is not sent after all; said again it changes nothing',
    access: ['admin'],
    permission: 'refunds:write',
    stepUp: true,
    params: byOwnId,
    body: z.object({ sent: z.boolean() }),
    response: z.object({ refund }),
    problems: ['not-found', 'conflict'],
  }),
  'POST /api/admin/refunds/{id}/dismissal': endpoint({
    audit: 'refund.dismissed',
    service: 'payments',
    summary: 'Say that the money of a refund that failed stays here; said again it changes nothing',
    access: ['admin'],
    permission: 'refunds:write',
    stepUp: true,
    params: byOwnId,
    body: z.object({ reason }),
    response: z.object({ refund }),
    problems: ['not-found', 'conflict'],
  }),
  'GET /api/admin/money/attention': endpoint({
    service: 'payments',
    summary: 'Money that an admin has to look after: refunds that failed, and disputes',
    access: ['admin'],
    permission: 'payments:read',
    response: moneyAttention,
  }),
};
