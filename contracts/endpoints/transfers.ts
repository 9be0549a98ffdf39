import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { MAX_EVIDENCE_BYTES, MAX_EVIDENCE_FILES } from '../evidence.ts';
import {
  actor,
  amountMinor,
  bank,
  currency,
  cursor,
  email,
  evidenceFile,
  freeText,
  givenGift,
  givenAmountMinor,
  id,
  instant,
  orderId,
  orderStatus,
  orderToken,
  packageType,
  pageLimit,
  paymentMethod,
  personName,
  reason,
  trees,
  wireMethod,
} from '../fields.ts';
import { VERIFICATION_STATUSES } from '../order.ts';
import { MAX_TREES } from '../packages.ts';
import { WIRE_TRANSFER_METHODS } from '../payment-method.ts';
import { purchaseRequest } from '../purchase.ts';
import { oneLine, phone } from '../text.ts';

/** Warnings for the admin who verifies a transfer; none decides anything. */
const TRANSFER_FLAGS = [
  'file-used-before',
  'reference-used-before',
  /** Looks like one of our references, but its check character is wrong. */
  'reference-mistyped',
  /** The amount received differs from the amount asked. */
  'amount-differs',
] as const;
export type TransferFlag = (typeof TRANSFER_FLAGS)[number];

/** `mistyped`: one of ours with a wrong character; `other`: a bank's number or the buyer's own words. */
const REFERENCE_ORIGINS = ['ours', 'mistyped', 'other', 'none'] as const;
export type ReferenceOrigin = (typeof REFERENCE_ORIGINS)[number];

/** An empty form field; required fields are reported together in one sentence. */
const blank = z.string().regex(/^\s*$/, { abort: true });

/** A form has text fields only, so this one is JSON. */
const giftField = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(givenGift)
  .optional()
  .meta({ description: 'JSON: the `gift` of POST /api/pricing/create-payment-intent.' });

const verificationStatus = z.enum(VERIFICATION_STATUSES);
const approval = z.object({
  by: actor,
  at: instant,
  /** Minor units of the order's currency. */
  amountReceived: amountMinor.optional(),
  note: z.string().optional(),
});

const flag = z.object({
  type: z.enum(TRANSFER_FLAGS),
  filename: z.string().optional(),
  /** Other orders, oldest first; at most ten. */
  orders: z.array(z.object({ _id: orderId, shortId: z.string(), verificationStatus })).optional(),
});

/** Optional in the schema only, so that a refusal has the product spec's message for all fields. */
const REQUIRED = { description: 'Required.' };

const transferOrder = z.object({
  _id: orderId,
  shortId: z.string(),
  /** Status of the order until approval; afterwards the orders service owns it. */
  status: orderStatus.optional(),
  trees,
  packageType,
  amount: amountMinor,
  currency,
  customerEmail: z.string(),
  customerName: z.string(),
  customerPhone: z.string().optional(),
  customerCountry: z.string().optional(),
  createdAt: instant,
  method: paymentMethod,
  paymentMethod: wireMethod,
  manualPayment: z.object({
    referenceNumber: z.string().optional(),
    /** Whether the reference is one that we gave, by its form and check character. */
    referenceOrigin: z.enum(REFERENCE_ORIGINS),
    verificationStatus,
    evidenceFiles: z.array(evidenceFile),
    evidenceRemoved: z.boolean(),
    flags: z.array(flag),
    /** A second admin must approve it too. */
    needsSecondAdmin: z.boolean(),
    firstApproval: approval.optional(),
    approval: approval.optional(),
    rejection: z.object({ by: actor, at: instant, reason: z.string() }).optional(),
    /** Its rows on the bank's statements, and the last day imported. */
    statement: z.object({
      /** Rows that are linked to it, or surely pay it. */
      rows: z.array(z.object({ rowId: id, day: z.iso.date(), amount: amountMinor, currency })),
      /** Last day on a statement of its bank; absent before the first import. */
      lastDay: z.iso.date().optional(),
    }),
  }),
});

const decided = z.object({ success: z.literal(true), order: transferOrder });

export const transfersEndpoints = {
  'GET /api/manual-payments/reference': endpoint({
    service: 'payments',
    summary: 'A reference for a bank transfer that nobody else gets: short, without look-alike characters',
    access: 'public',
    response: z.object({ referenceNumber: z.string() }),
    limit: { max: 60, windowSeconds: 600 },
  }),
  'POST /api/manual-payments/create-order': endpoint({
    service: 'payments',
    summary: 'Announce a bank transfer with one to three pictures that prove it; an admin verifies it',
    access: 'public',
    status: 201,
    idempotent: true,
    limit: { max: 30, windowSeconds: 600 },
    upload: {
      field: 'evidenceFiles',
      maxCount: MAX_EVIDENCE_FILES,
      maxBytes: MAX_EVIDENCE_BYTES,
      tooLarge: 'evidence-too-large',
    },
    body: purchaseRequest.extend({
      trees: z.coerce.number().int().min(1).max(MAX_TREES),
      currency: currency.default('COP'),
      customerEmail: z.union([blank, email]).optional().meta(REQUIRED),
      customerName: z.union([blank, personName]).optional().meta(REQUIRED),
      customerPhone: phone.optional(),
      /** Either field names the bank; Bancolombia by default. */
      paymentMethod: z.enum(WIRE_TRANSFER_METHODS).optional(),
      bankName: bank.optional(),
      /** Reference written on the transfer, ideally the suggested one. */
      referenceNumber: oneLine(80).optional(),
      gift: giftField,
    }),
    response: z.object({
      success: z.literal(true),
      orderId,
      orderToken,
      shortId: z.string(),
      referenceNumber: z.string().optional(),
      amount: amountMinor,
      currency,
      error: z.string().optional(),
    }),
    problems: [
      'required-fields',
      'evidence-required',
      'evidence-not-an-image',
      'evidence-damaged',
      'photo-too-many-pixels',
      'evidence-too-large',
      'too-many-files',
      'quote-expired',
      'quote-invalid',
      'too-many-gifts',
      'idempotency-conflict',
      'transfer-not-created',
      'unavailable',
    ],
  }),
  'GET /api/admin/manual-payments/pending-verification': endpoint({
    audit: 'transfer.listed',
    service: 'payments',
    summary:
      'Transfers that wait for an admin, the longest waiting first; or, by status, those decided, the newest first',
    access: ['admin'],
    permission: 'payments:read',
    query: z.object({
      status: z.enum([...VERIFICATION_STATUSES, 'all']).default('pending'),
      limit: pageLimit(25),
      cursor: cursor.optional(),
    }),
    response: z.object({
      orders: z.array(transferOrder),
      nextCursor: z.string().optional(),
      /** Count for this status over all pages. */
      total: z.int(),
      /** When the oldest one was submitted. */
      oldestAt: instant.optional(),
    }),
  }),
  'GET /api/admin/manual-payments/evidence/{filename}': endpoint({
    service: 'payments',
    summary: 'A proof of a transfer, as a picture that was made here',
    access: ['admin'],
    permission: 'payments:read',
    params: z.object({ filename: z.string().regex(/^[\w-]{22}\.jpg$/) }),
    binary: 'image/jpeg',
    problems: ['not-found'],
  }),
  'POST /api/admin/manual-payments/verify/{id}': endpoint({
    audit: 'transfer.approved',
    service: 'payments',
    summary:
      'Approve a transfer whose money was found; the first of two approvals where the amount needs two admins',
    access: ['admin'],
    permission: 'transfers:decide',
    params: z.object({ id: orderId }),
    body: z.object({
      /** Amount on the bank's statement, minor units of the order's currency. */
      amountReceived: givenAmountMinor.optional(),
      note: freeText(1000).optional(),
    }),
    response: decided,
    problems: [
      'not-found',
      'transfer-already-approved',
      'transfer-already-rejected',
      'second-admin-required',
      'transfer-not-verified',
    ],
  }),
  'POST /api/admin/manual-payments/reject/{id}': endpoint({
    audit: 'transfer.rejected',
    service: 'payments',
    summary: 'Reject a transfer whose money was not found; the donor hears why, and how to send it again',
    access: ['admin'],
    permission: 'transfers:decide',
    params: z.object({ id: orderId }),
    body: z.object({ reason }),
    response: decided,
    problems: [
      'not-found',
      'transfer-already-approved',
      'transfer-already-rejected',
      'transfer-not-rejected',
    ],
  }),
};
