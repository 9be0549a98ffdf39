import { z } from 'zod';
import {
  actor,
  amountMinor,
  coordinates,
  currency,
  evidenceFile,
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
import { VERIFICATION_STATUSES } from '../../order.ts';

/** A photo as everybody sees it. */
export const photo = z.object({
  /** For GET /api/photos/{filename}. */
  filename: z.string(),
  width: z.int(),
  height: z.int(),
  takenAt: instant.optional(),
  uploadedAt: instant,
  coordinates: coordinates.optional(),
  /** Of which growth update it is; absent for photos of the planting. */
  growthUpdate: z.int().optional(),
});

const moneyBack = {
  /** What was given back, all refunds together; absent when nothing was. */
  refundedAmount: amountMinor.optional(),
  /** What banks took back in lost disputes; absent when nothing. */
  lostAmount: amountMinor.optional(),
};

/** A photo package and its updates, with their dates once they are known. */
const growth = z.object({
  photoPackageType,
  currency,
  purchasedAt: instant,
  completedAt: instant.optional(),
  /** Its money went back, and visits that were not made are cancelled. */
  stoppedAt: instant.optional(),
  ...moneyBack,
  visits: z.array(
    z.object({ number: z.int(), of: z.int(), dueAt: instant, completedAt: instant.optional() }),
  ),
});

const manualPayment = z.object({
  verificationStatus: z.enum(VERIFICATION_STATUSES),
  referenceNumber: z.string().optional(),
  rejectionReason: z.string().optional(),
  submittedAt: instant.optional(),
});

/** How it was paid, for the buyer and admins: a private link may be passed on. */
const paidBy = {
  /** Not there before the money of a transfer was found. */
  transactionId: z.string().optional(),
  card: z.object({ brand: z.string(), last4: z.string() }).optional(),
};

/** What the private link shows: the trees and their story, no contact details. */
export const publicOrder = z.object({
  _id: orderId,
  shortId: z.string(),
  token: orderToken,
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
  /** All money went back before anything was planted: nobody plants it. */
  withdrawn: z.literal(true).optional(),
  photos: z.array(photo),
  growth: z.array(growth).optional(),
  timeline: z.array(z.object({ at: instant, type: z.string(), status: orderStatus.optional() })),
});

export const customerOrder = publicOrder.extend({
  ...paidBy,
  customerName: z.string(),
  customerEmail: z.string(),
});

const adminPhoto = photo.extend({
  photoId: z.string(),
  /** What about it deserves a look. */
  flags: z.array(photoFlag),
  /** Nobody but admins sees it. */
  hidden: z.object({ at: instant, by: actor, reason: z.string() }).optional(),
});

/** A row of the admin's list. */
export const listedOrder = publicOrder.omit({ timeline: true }).extend({
  ...paidBy,
  customerName: z.string(),
  customerEmail: z.string(),
  customerPhone: z.string().optional(),
  customerCountry: z.string().optional(),
  assignedWorker: worker.optional(),
  notes: z.string().optional(),
  photos: z.array(adminPhoto),
  /** Grows by one with every change of status or worker. */
  revision: z.int(),
});

const fieldValue = z.union([z.string(), z.number(), coordinates]).optional();

const timelineEntry = z.object({
  at: instant,
  /** "paid", "created", "status_changed", "photo", … */
  type: z.string(),
  by: actor,
  /** Of a change of status. */
  from: orderStatus.optional(),
  to: orderStatus.optional(),
  status: orderStatus.optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
  /** Of an edit: each field with what it held before and after. */
  changes: z.array(z.object({ field: z.string(), from: fieldValue, to: fieldValue })).optional(),
  fromWorker: z.string().optional(),
  toWorker: z.string().optional(),
  amount: amountMinor.optional(),
  currency: currency.optional(),
  isFull: z.boolean().optional(),
  /** How a dispute stands, as Stripe says. */
  dispute: z.string().optional(),
  filename: z.string().optional(),
  /** Of a photo package: whose money or dates it is about. */
  purchaseId: z.string().optional(),
  /** Of a growth update: which of how many, with how many photos. */
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

/** Everything that is known of an order. */
export const adminOrder = listedOrder.extend({
  /** To be handed back as If-Match with an edit: grows when anything that may be edited has changed. */
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
  /** What admins wrote to each other, oldest first. */
  internalNotes: z.array(z.object({ noteId: z.string(), text: z.string(), by: actor, at: instant })),
  timeline: z.array(timelineEntry),
});
