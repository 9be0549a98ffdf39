import { z } from 'zod';
import {
  amountMinor,
  currency,
  customer,
  email,
  gift,
  givenGift,
  id,
  language,
  localeTag,
  orderId,
  orderToken,
  packageType,
  personName,
  trees,
} from './fields.ts';

/**
 * Fields that a buyer may add to a purchase and nobody filters, counts or edits: optional, as a form's text can fill them. A field
 * named here is in both ways to pay, in payments, its events and the order, and in what buyer and admins read; the private link
 * shows it once `publicOrder` names it. It is stored in a column `details`, which the buyer's erasure empties.
 */
export const details = {} satisfies Record<string, z.ZodOptional>;

/** The fields that a buyer fills in, whichever way they pay. */
export const purchaseRequest = z.object({
  trees,
  packageType,
  currency,
  customerEmail: email,
  customerName: personName,
  locale: localeTag.optional(),
  /** The quote shown to the buyer; current prices apply without one. */
  quote: z.string().max(2000).optional(),
  /** The order is a gift. */
  gift: givenGift.optional(),
  ...details,
});
export type PurchaseRequest = z.output<typeof purchaseRequest>;

/** The goods, their price and their buyer. Fixed when the payment starts. */
const purchase = z.object({
  orderId,
  paymentId: id,
  orderToken,
  packageType,
  trees,
  amountMinor,
  currency,
  /** The quote behind the amount: its id, rate and the day of the rates. */
  quote: z.object({ id: z.string(), rate: z.number(), ratesAsOf: z.string() }),
  customer,
  language,
  /** BCP 47 tag of the browser, if valid. */
  locale: z.string().optional(),
  gift: gift.optional(),
  ...details,
});
export type Purchase = z.infer<typeof purchase>;
export type PurchaseDetails = Pick<Purchase, keyof typeof details>;

/** A purchase as events carry it: without the token that opens the order, and without what only payments reads. */
export const published = purchase.omit({ orderToken: true, quote: true, locale: true });

export const publishedOf = ({
  orderToken: _orderToken,
  quote: _quote,
  locale: _locale,
  ...rest
}: Purchase): z.infer<typeof published> => rest;

/** The details in a request, a purchase or an event; undefined when there are none. */
export function detailsOf(source: PurchaseDetails): PurchaseDetails | undefined {
  const given = Object.entries(source).filter(
    ([name, value]) => Object.hasOwn(details, name) && value !== undefined && value !== '',
  );
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}
