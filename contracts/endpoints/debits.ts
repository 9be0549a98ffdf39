import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  actor,
  amountMinor,
  bank,
  currency,
  cursor,
  freeText,
  givenAmountMinor,
  id,
  instant,
  orderId,
  pageLimit,
} from '../fields.ts';
import { DEBIT_LISTS, RETURN_REASONS } from '../statement.ts';

const amount = givenAmountMinor.min(1);

const ofOrder = { orderId, shortId: z.string(), customerName: z.string() };

/** A credit whose money a debit may have taken back; without `rowId` for an order whose credit was never imported. */
const credit = z.object({
  rowId: id.optional(),
  day: z.iso.date(),
  amount,
  text: z.string(),
  name: z.string().optional(),
  number: z.string().optional(),
  /** Orders that it pays or names. */
  orders: z.array(z.object({ ...ofOrder, verificationStatus: z.enum(['pending', 'approved', 'rejected']) })),
  reasons: z.array(z.enum(RETURN_REASONS)),
});

const refund = z.object({ refundId: id, ...ofOrder, amount: amountMinor, createdAt: instant });

const debit = z.object({
  debitId: id,
  statementId: id,
  bank,
  day: z.iso.date(),
  amount,
  currency,
  text: z.string(),
  name: z.string().optional(),
  number: z.string().optional(),
  /** The bank marks it as a reversal. */
  isReversal: z.literal(true).optional(),
  list: z.enum(DEBIT_LISTS),
  /** The likeliest, at most five. Once it is decided to be a return: the one that it took back. */
  credits: z.array(credit),
  /** Orders that wait for the decision on this debit: nobody plants them meanwhile. */
  heldOrders: z.array(z.object(ofOrder)),
  /** The refund by hand that it proves. */
  refund: refund.optional(),
  /** Refunds by hand of the same sum that no debit proves yet. */
  refunds: z.array(refund),
  decision: z.object({ kind: z.enum(['return', 'refund', 'other']), by: actor, at: instant }).optional(),
});

const decided = z.object({ debit });

export const debitsEndpoints = {
  'GET /api/admin/statement-debits': endpoint({
    audit: 'statement.rows_listed',
    service: 'payments',
    summary: 'Debits on bank statements by list, with the credits that they may have taken back',
    access: ['admin'],
    permission: 'payments:read',
    query: z.object({
      list: z.enum(DEBIT_LISTS).default('returns'),
      /** Part of the text, the name or the bank’s number. */
      q: freeText(120).optional(),
      limit: pageLimit(50, 200),
      cursor: cursor.optional(),
    }),
    response: z.object({
      debits: z.array(debit),
      nextCursor: z.string().optional(),
      counts: z.object({ returns: z.int() }),
    }),
  }),
  'POST /api/admin/statement-debits/return': endpoint({
    audit: 'statement.row_linked',
    service: 'payments',
    summary:
      'Say that a debit took a credit back: the credit pays nothing any more, and a paid order counts as refunded by this sum',
    access: ['admin'],
    permission: 'refunds:write',
    stepUp: true,
    body: z.object({
      debitId: id,
      /** One of the debit’s `credits`: its row, or its order where no row was imported. */
      rowId: id.optional(),
      orderId: orderId.optional(),
    }),
    response: decided,
    problems: ['not-found', 'statement-row-taken', 'refund-in-hand'],
  }),
  'POST /api/admin/statement-debits/refund': endpoint({
    audit: 'statement.row_linked',
    service: 'payments',
    summary: 'Say which refund by hand a debit proves',
    access: ['admin'],
    permission: 'statements:write',
    body: z.object({ debitId: id, refundId: id }),
    response: decided,
    problems: ['not-found', 'statement-row-taken'],
  }),
  'POST /api/admin/statement-debits/dismiss': endpoint({
    audit: 'statement.row_ignored',
    service: 'payments',
    summary: 'Say that a debit is none of an order’s money: orders that waited for it go on',
    access: ['admin'],
    permission: 'statements:write',
    stepUp: true,
    body: z.object({ debitId: id }),
    response: decided,
    problems: ['not-found', 'statement-row-taken'],
  }),
};
