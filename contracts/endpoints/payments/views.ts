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
 * Result of a payment. `mismatched`: the amount paid differs from the amount asked. `submitted` and `rejected` apply to
 * transfers; an approved transfer is `succeeded`.
 */
const PAYMENT_STATUSES = [
  'succeeded',
  'submitted',
  'open',
  'processing',
  'rejected',
  'canceled',
  'mismatched',
] as const;
export const paymentStatus = z.enum(PAYMENT_STATUSES);

const REFUND_STATUSES = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const;

const received = z.object({ amount: amountMinor, currency: z.string() });
const ofMoneyBack = {
  /** Still refundable, minor units of the payment's currency. */
  leftAmount: amountMinor,
  /** Owed after failed refunds and not returned otherwise, minor units. */
  toReturnAmount: amountMinor,
};

export const refund = z.object({
  refundId: id,
  amount: amountMinor,
  currency: z.string(),
  reason: z.string(),
  status: z.enum(REFUND_STATUSES),
  /** `hand`: refunded outside Stripe, by bank transfer or otherwise, and recorded here. */
  method: z.enum(['card', 'hand']),
  transactionId: z.string().optional(),
  failureReason: z.string().optional(),
  /** Absent for refunds made in Stripe's dashboard. */
  by: actor.optional(),
  /** An admin's decision to keep the money of a failed refund. */
  dismissed: z.object({ by: actor, reason: z.string(), at: instant }).optional(),
  createdAt: instant,
  settledAt: instant.optional(),
  /** The debit on the bank's statement that proves a refund by hand; `number` is the bank's. */
  debit: z.object({ debitId: id, day: z.iso.date(), number: z.string().optional() }).optional(),
});

const dispute = z.object({
  disputeId: z.string(),
  amount: amountMinor,
  currency: z.string(),
  reason: z.string(),
  /** Stripe's status: "needs_response", "won", "lost" and others. */
  status: z.string(),
  createdAt: instant,
  updatedAt: instant,
});

const packagePurchase = z.object({
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
  /** Amount received, present when mismatched. */
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
  /** A dispute exists for the trees or for a photo package of the order. */
  isDisputed: z.boolean(),
  isDisputeLost: z.boolean(),
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
  quote: z.object({ id: z.string(), rate: z.number(), ratesAsOf: z.string() }).optional(),
  card: z.object({ brand: z.string(), last4: z.string() }).optional(),
  failureReason: z.string().optional(),
  /** Amount received: of a mismatched payment, or as an admin found it for a transfer. */
  received: received.optional(),
  ...ofMoneyBack,
  /** Stripe's fee in the payout currency; absent until Stripe has settled. */
  fee: z
    .object({
      amount: amountMinor,
      currency: z.string(),
      netAmount: z.int(),
      /** Payout currency units per unit of the payment's currency; absent when they are the same. */
      exchangeRate: z.number().optional(),
    })
    .optional(),
  receiptUrl: z.string().optional(),
  refunds: z.array(refund),
  disputes: z.array(dispute),
  photoPackages: z.array(packagePurchase),
});

/** A photo package that was paid; `refundedAmount` is what went back of it. */
export const soldPackage = z.object({
  purchaseId: id,
  /** The payment of the order that it belongs to. */
  paymentId: id,
  orderId,
  shortId: z.string(),
  photoPackageType,
  status: z.enum(['active', 'completed', 'stopped']),
  amount: amountMinor,
  currency,
  refundedAmount: amountMinor,
  customerName: z.string(),
  customerEmail: z.string(),
  purchasedAt: instant,
});

const ofMoney = {
  paymentId: id,
  orderId,
  shortId: z.string(),
  customerName: z.string(),
  /** The photo package paid for; absent for the trees. */
  photoPackageType: photoPackageType.optional(),
  amount: amountMinor,
  currency: z.string(),
};

export const moneyAttention = z.object({
  /** Money on bank statements that belongs to no order; absent when there is none. */
  withoutOrder: z
    .object({
      count: z.int(),
      amounts: z.array(z.object({ currency: z.string(), amount: amountMinor })),
      /** Day of the oldest on its statement. */
      oldestDay: z.iso.date(),
    })
    .optional(),
  /** Debits that may have taken money back and wait for a decision; absent when there is none. */
  returns: z.object({ count: z.int(), oldestDay: z.iso.date() }).optional(),
  /** Failed refunds that are still owed, longest waiting first. */
  toReturn: z.array(z.object({ ...ofMoney, since: instant, failureReason: z.string().optional() })),
  /** Refunds that an admin began to send by hand over an hour ago, noted neither as sent nor as not; the oldest first. */
  toNote: z.array(z.object({ ...ofMoney, since: instant, by: z.string() })),
  /** Disputes that are open or were lost in the last 30 days, newest first. */
  disputes: z.array(z.object({ ...ofMoney, status: z.string(), reason: z.string(), updatedAt: instant })),
});
