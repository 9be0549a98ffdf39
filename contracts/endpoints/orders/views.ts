import { z } from 'zod';
import {
  actor,
  amountMinor,
  coordinates,
  currency,
  evidenceFile,
  gift,
  id,
  instant,
  language,
  orderId,
  orderStatus,
  orderToken,
  packageType,
  paymentMethod,
  photoFlag,
  photoPackageType,
  trees,
  wireMethod,
  worker,
} from '../../fields.ts';
import { GIFT_STATES } from '../../gift.ts';
import { CERTIFICATE_REVOCATIONS, VERIFICATION_STATUSES } from '../../order.ts';
import { details } from '../../purchase.ts';

/** A photo as the public sees it. */
const photo = z.object({
  /** For GET /api/photos/{filename}. */
  filename: z.string(),
  width: z.int(),
  height: z.int(),
  takenAt: instant.optional(),
  uploadedAt: instant,
  coordinates: coordinates.optional(),
  /** Number of the growth update; absent for photos of the planting. */
  growthUpdate: z.int().optional(),
});

const moneyBack = {
  /** Sum of all refunds; absent when none. */
  refundedAmount: amountMinor.optional(),
  /** Sum of lost disputes; absent when none. */
  lostAmount: amountMinor.optional(),
};

/** A photo package and its updates, with dates once known; without the money. */
export const receivedGrowth = z.object({
  photoPackageType,
  purchasedAt: instant,
  completedAt: instant.optional(),
  /** Refunded: visits not made yet are cancelled. */
  stoppedAt: instant.optional(),
  visits: z.array(
    z.object({ number: z.int(), of: z.int(), dueAt: instant, completedAt: instant.optional() }),
  ),
});
const growth = receivedGrowth.extend({ currency, ...moneyBack });

const manualPayment = z.object({
  verificationStatus: z.enum(VERIFICATION_STATUSES),
  referenceNumber: z.string().optional(),
  rejectionReason: z.string().optional(),
  submittedAt: instant.optional(),
  /** Pictures of the transfer that were received. */
  evidenceCount: z.int(),
});

/** Payment details for the buyer and admins only, because private links are shared. */
const paidBy = {
  /** Absent until a transfer is approved. */
  transactionId: z.string().optional(),
  card: z.object({ brand: z.string(), last4: z.string() }).optional(),
};

/** In groups of four with hyphens. */
export const certificateCode = z.string().meta({ examples: ['K7QF-M2XD-9WBN'] });

/** Why and when a certificate was revoked. */
export const certificateRevocation = z.object({
  at: instant,
  /**
   * `admin`: for good. `withdrawn`: the order was refunded before planting. `not_planted`: by its status, the trees are
   * not planted after all. After the latter two, planting makes a new version.
   */
  cause: z.enum(CERTIFICATE_REVOCATIONS),
  /** The admin's. Whoever checks the certificate reads it. */
  reason: z.string().optional(),
});

/** The certificate of an order; its code names the newest version. */
const publicCertificate = z.object({
  /** For GET /api/certificates/{code}. */
  code: certificateCode,
  version: z.int().min(1),
  state: z.enum(['valid', 'revoked']),
  language,
  issuedAt: instant,
  revoked: certificateRevocation.optional(),
});
export const orderCertificate = publicCertificate.extend({
  /** Null when none was chosen. */
  name: z.string().nullable(),
});

/** A gift by the private link: not to whom, nor what was written. */
const publicGift = z.object({
  state: z.enum(GIFT_STATES),
  card: gift.shape.card,
  /** First name. */
  recipientName: z.string(),
  deliverOn: gift.shape.deliverOn,
  timeZone: z.string(),
  /** The buyer hands the card over. */
  byHand: z.boolean(),
  sentAt: instant.optional(),
  claimedAt: instant.optional(),
  /** The recipient's data was erased at their request. */
  erased: z.literal(true).optional(),
});
/** For the buyer and admins. */
export const orderGift = publicGift.extend({
  recipientName: z.string(),
  recipientEmail: z.string().nullable(),
  message: z.string(),
  language,
  /** When it is sent; the past once sent. */
  deliverAt: instant,
  thanks: z.object({ text: z.string(), at: instant }).optional(),
  /** Path of the recipient's page, "/g/…"; for the buyer only, once it may be handed over: paid, and by hand. */
  path: z.string().optional(),
});

/** The donor withdraws from the purchase: nobody plants it unless they keep it after all. */
const withdrawal = z.object({
  requestedAt: instant,
  /** All of the money is to be back by then. */
  refundBy: instant,
  /** When all of the money was back. */
  answeredAt: instant.optional(),
  /** Money is going back: the order can no longer be kept. */
  isRefundBegun: z.literal(true).optional(),
});

/** View of the private link: the trees and their history, without contact details. */
export const publicOrder = z.object({
  _id: orderId,
  shortId: z.string(),
  token: orderToken,
  /** "2026-000123", once paid. */
  receiptNumber: z.string().optional(),
  status: orderStatus,
  trees,
  packageType,
  amount: amountMinor,
  currency,
  /** First name only. */
  customerName: z.string(),
  language,
  createdAt: instant,
  assignedDate: instant.optional(),
  plantingDate: instant.optional(),
  photoDate: instant.optional(),
  completionDate: instant.optional(),
  assignedWorker: z.object({ name: z.string(), region: z.string() }).optional(),
  location: z.string().optional(),
  coordinates: coordinates.optional(),
  method: paymentMethod,
  paymentMethod: wireMethod,
  manualPayment: manualPayment.optional(),
  ...moneyBack,
  /** Fully refunded before planting: nobody plants it. */
  withdrawn: z.literal(true).optional(),
  /** Last moment to withdraw; it may have passed. Absent when the order cannot be withdrawn from, or was. */
  withdrawableUntil: instant.optional(),
  withdrawal: withdrawal.optional(),
  photos: z.array(photo),
  growth: z.array(growth).optional(),
  certificate: publicCertificate.optional(),
  gift: publicGift.optional(),
  timeline: z.array(z.object({ at: instant, type: z.string(), status: orderStatus.optional() })),
});

export const customerOrder = publicOrder.extend({
  ...paidBy,
  ...details,
  customerName: z.string(),
  customerEmail: z.string(),
  certificate: orderCertificate.optional(),
  gift: orderGift.optional(),
});

const adminPhoto = photo.extend({
  photoId: z.string(),
  flags: z.array(photoFlag),
  /** Hidden from everyone but admins. */
  hidden: z.object({ at: instant, by: actor, reason: z.string() }).optional(),
});

export const listedOrder = publicOrder.omit({ timeline: true }).extend({
  ...paidBy,
  ...details,
  /** Anyone who has it can act as the donor, so only admins who may change orders get it. */
  token: orderToken.optional(),
  /** `reason`: the donor's, if they gave one. */
  withdrawal: withdrawal.extend({ reason: z.string().optional() }).optional(),
  customerName: z.string(),
  customerEmail: z.string(),
  certificate: orderCertificate.optional(),
  gift: orderGift.optional(),
  customerPhone: z.string().optional(),
  customerCountry: z.string().optional(),
  assignedWorker: worker.optional(),
  /** Region of the worker, or the one the buyer chose while there is none. */
  region: z.string().optional(),
  /** An admin should look at it: see `flagged` of the list. */
  flagged: z.literal(true).optional(),
  notes: z.string().optional(),
  photos: z.array(adminPhoto),
  /** Incremented by every change of status or worker. */
  revision: z.int(),
});

const fieldValue = z.union([z.string(), z.number(), coordinates]).optional();

const timelineEntry = z.object({
  at: instant,
  /** "paid", "created", "status_changed", "photo", … */
  type: z.string(),
  by: actor,
  /** Present for a change of status. */
  from: orderStatus.optional(),
  to: orderStatus.optional(),
  status: orderStatus.optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
  /** Present for an edit: each field with its value before and after. */
  changes: z.array(z.object({ field: z.string(), from: fieldValue, to: fieldValue })).optional(),
  fromWorker: z.string().optional(),
  toWorker: z.string().optional(),
  amount: amountMinor.optional(),
  currency: currency.optional(),
  isFull: z.boolean().optional(),
  /** Stripe's status of the dispute. */
  dispute: z.string().optional(),
  filename: z.string().optional(),
  /** Present for an issued version of the certificate. */
  version: z.int().optional(),
  /** Present for a revocation of the certificate. */
  cause: z.enum(CERTIFICATE_REVOCATIONS).optional(),
  /** Present for events of a photo package. */
  purchaseId: z.string().optional(),
  /** Present for a growth update: its number, the total and the count of photos. */
  number: z.int().optional(),
  of: z.int().optional(),
  photos: z.int().optional(),
});

const refundsAndDisputes = {
  refunds: z.array(
    z.object({
      refundId: z.string(),
      amount: amountMinor,
      currency,
      reason: z.string(),
      by: actor.optional(),
      at: instant,
    }),
  ),
  disputes: z.array(
    z.object({
      disputeId: z.string(),
      amount: amountMinor,
      currency,
      reason: z.string(),
      status: z.string(),
      at: instant,
    }),
  ),
};

export const adminOrder = listedOrder.extend({
  /** Version for If-Match, incremented when an editable field changes. */
  version: z.int(),
  updatedAt: instant,
  paymentId: z.string(),
  manualPayment: manualPayment
    .extend({
      evidenceFiles: z.array(evidenceFile),
      decidedAt: instant.optional(),
      decidedBy: actor.optional(),
    })
    .optional(),
  ...refundsAndDisputes,
  growthPurchases: z.array(
    growth.extend({ purchaseId: z.string(), amount: amountMinor, ...refundsAndDisputes }),
  ),
  /** Debits on bank statements that may have taken the order's money back. Until they are decided, nobody plants it. */
  suspectedReturns: z
    .array(
      z.object({
        debitId: id,
        amount: amountMinor,
        currency,
        /** The debit's. */
        day: z.iso.date(),
        at: instant,
        settledAt: instant.optional(),
      }),
    )
    .optional(),
  /** Admins' notes, oldest first. */
  internalNotes: z.array(z.object({ noteId: z.string(), text: z.string(), by: actor, at: instant })),
  timeline: z.array(timelineEntry),
});
