import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import {
  amountMinor,
  bank,
  currency,
  language,
  orderId,
  orderToken,
  photoPackageType,
} from '../../fields.ts';
import { purchaseRequest } from '../../purchase.ts';

/** Stripe's id of a price. */
const priceId = z.string().regex(/^[\w-]{1,100}$/);

export const shopEndpoints = {
  'GET /api/config': endpoint({
    service: 'payments',
    summary: 'What the web app needs to know of this installation',
    access: 'public',
    response: z.object({
      stripe: z.object({ publishableKey: z.string(), scriptUrl: z.string(), apiUrl: z.string() }),
      bankAccounts: z.array(
        z.object({
          bank,
          accountType: z.string(),
          accountNumber: z.string(),
          holder: z.string(),
          taxId: z.string(),
          /** Paid from any bank of Colombia in seconds. */
          breB: z
            .object({
              key: z.string(),
              /** The bank's QR code, as a data URL of a PNG. */
              qr: z.string().optional(),
            })
            .optional(),
        }),
      ),
      /** Growth updates for sale; prices are absent while Stripe does not answer. */
      photoPackages: z.array(
        z.object({
          photoPackageType,
          priceId,
          amount: amountMinor.optional(),
          currency: z.string().optional(),
        }),
      ),
      siteUrl: z.string(),
      languages: z.array(language),
    }),
  }),
  'POST /api/pricing/create-payment-intent': endpoint({
    service: 'payments',
    summary: 'Start a card payment; the server sets the price',
    access: 'public',
    idempotent: true,
    // The limit of all other calls. Payments bounds unpaid intents of a network: see services/payments/cards/unpaid.ts.
    limit: { max: 1200, windowSeconds: 60 },
    body: purchaseRequest,
    response: z.object({
      client_secret: z.string(),
      orderId,
      orderToken,
      amount: amountMinor,
      currency,
      error: z.string().optional(),
    }),
    problems: [
      'quote-expired',
      'quote-invalid',
      'too-many-gifts',
      'idempotency-conflict',
      'payment-provider-failed',
      'unavailable',
    ],
  }),
  'POST /api/payments/create-photo-package-checkout': endpoint({
    service: 'payments',
    summary:
      'Buy growth updates for one’s own order, or for a gift in one’s account: where Stripe takes the payment',
    access: ['customer'],
    limit: { max: 60, windowSeconds: 600 },
    body: z.object({ priceId, originalOrderId: orderId }),
    response: z.object({ checkoutUrl: z.url() }),
    problems: [
      'not-found',
      'email-not-verified',
      'photo-packages-not-offered',
      'photo-package-active',
      'order-refunded',
      'order-withdrawing',
      'checkout-session-failed',
    ],
  }),
  'POST /api/payments/stripe-webhook': endpoint({
    service: 'payments',
    summary: 'Stripe reports events here, signed',
    access: 'public',
    rawBody: true,
    fromAnywhere: true,
    maxBodyBytes: 1_000_000,
    neverShed: true,
    limit: { max: 100_000, windowSeconds: 60 },
    response: z.object({ received: z.literal(true) }),
    problems: ['signature-invalid'],
  }),
};
