import { z } from 'zod';
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
} from '../../fields.ts';

/** A photo as everybody sees it. */
export const photo = z.object({
  /** For GET /api/photos/{filename}. */
  filename: z.string(), width: z.int(), height: z.int(), takenAt: instant.optional(), uploadedAt: instant,
  coordinates: coordinates.optional(),
}); // prettier-ignore

/** What the private link shows: the trees and their story, no contact details. */
export const publicOrder = z.object({
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

export const adminOrder = publicOrder.extend({
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

export const customerOrder = publicOrder.extend({ customerName: z.string(), customerEmail: z.string() });
