import { z } from 'zod';
import {
  actor,
  amountMinor,
  currency,
  id,
  instant,
  language,
  orderId,
  packageType,
  paymentMethod,
  photoPackageType,
  trees,
} from '../../fields.ts';

/**
 * What became of a payment. `mismatched`: something was paid that is not what was asked. `submitted` and `rejected` are
 * of transfers; an approved one `succeeded`.
 */
export const PAYMENT_STATUSES = [
  'open',
  'processing',
  'succeeded',
  'canceled',
  'mismatched',
  'submitted',
  'rejected',
] as const;
export const paymentStatus = z.enum(PAYMENT_STATUSES);

export const REFUND_STATUSES = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const;

const received = z.object({ amount: amountMinor, currency: z.string() });
const ofMoneyBack = {
  /** What can still be given back, minor units of what was paid. */
  leftAmount: amountMinor,
  /** What a failed refund was to give back and nothing else has. */
  toReturnAmount: amountMinor,
};

export const refund = z.object({
  refundId: id,
  amount: amountMinor,
  currency: z.string(),
  reason: z.string(),
  status: z.enum(REFUND_STATUSES),
  /** `hand`: the money goes back by a bank transfer or otherwise, which is noted here. */
  method: z.enum(['card', 'hand']),
  /** Stripe's own id. */
  transactionId: z.string().optional(),
  /** Why the bank did not take it. */
  failureReason: z.string().optional(),
  /** Absent when it was made in Stripe's dashboard. */
  by: actor.optional(),
  /** A failed one whose money stays here, as an admin said. */
  dismissed: z.object({ by: actor, reason: z.string(), at: instant }).optional(),
  createdAt: instant,
  settledAt: instant.optional(),
});

export const dispute = z.object({
  disputeId: z.string(),
  amount: amountMinor,
  currency: z.string(),
  reason: z.string(),
  /** As Stripe says: "needs_response", "won", "lost" and others. */
  status: z.string(),
  createdAt: instant,
  updatedAt: instant,
});

export const packagePurchase = z.object({
  purchaseId: id,
  photoPackageType,
  amount: amountMinor,
  currency,
  status: z.enum([
    'creating',
    'open',
    'processing',
    'active',
    'completed',
    'stopped',
    'expired',
    'failed',
    'mismatched',
    'surplus',
  ]),
  transactionId: z.string().optional(),
  createdAt: instant,
  purchasedAt: instant.optional(),
  /** What was paid in the place of what was asked, of a mismatched one. */
  received: received.optional(),
  ...ofMoneyBack,
  refunds: z.array(refund),
  disputes: z.array(dispute),
});

export const listedPayment = z.object({
  paymentId: id,
  orderId,
  shortId: z.string(),
  status: paymentStatus,
  method: paymentMethod,
  packageType,
  trees,
  amount: amountMinor,
  currency,
  refundedAmount: amountMinor,
  /** Of the trees, or of a photo package of the order. */
  isDisputed: z.boolean(),
  isDisputeLost: z.boolean(),
  /** Money of a photo package of the order was given back. */
  isPackageRefunded: z.boolean(),
  customerName: z.string(),
  customerEmail: z.string(),
  /** Stripe's payment intent, or the reference of a transfer. */
  transactionId: z.string().optional(),
  createdAt: instant,
  paidAt: instant.optional(),
});

export const payment = listedPayment.extend({
  language,
  locale: z.string().optional(),
  /** The quote that made the amount. */
  quote: z.object({ id: z.string(), rate: z.number(), ratesAsOf: z.string() }).optional(),
  card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  /** Why the last attempt to pay failed. */
  failureReason: z.string().optional(),
  /** What was paid in the place of what was asked, of a mismatched payment; what an admin found to have come in, of a transfer. */
  received: received.optional(),
  ...ofMoneyBack,
  /** What Stripe keeps, in the currency it pays out; absent until Stripe has settled. */
  fee: z
    .object({
      amount: amountMinor,
      currency: z.string(),
      netAmount: z.int(),
      /** Units of that currency for one of the payment's; absent when they are the same. */
      exchangeRate: z.number().optional(),
    })
    .optional(),
  /** Stripe's own receipt. */
  receiptUrl: z.string().optional(),
  refunds: z.array(refund),
  disputes: z.array(dispute),
  photoPackages: z.array(packagePurchase),
});

/** Money that an admin has to look after. */
const ofMoney = {
  paymentId: id,
  orderId,
  shortId: z.string(),
  customerName: z.string(),
  /** Which photo package it was paid for; absent for the trees. */
  photoPackageType: photoPackageType.optional(),
  amount: amountMinor,
  currency: z.string(),
};

export const moneyAttention = z.object({
  /** Refunds failed, and nothing else has given this back; the longest waiting first. */
  toReturn: z.array(z.object({ ...ofMoney, since: instant, failureReason: z.string().optional() })),
  /** Disputes that are open, or were lost in the last 30 days; the newest first. */
  disputes: z.array(z.object({ ...ofMoney, status: z.string(), reason: z.string(), updatedAt: instant })),
});
