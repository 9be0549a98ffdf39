import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  amountMinor,
  currency,
  email,
  language,
  localeTag,
  orderId,
  orderToken,
  packageType,
  personName,
  trees,
} from '../fields.ts';

export const paymentsEndpoints = {
  'GET /api/config': endpoint({
    service: 'payments',
    summary: 'What the web app needs to know of this installation',
    access: 'public',
    response: z.object({
      stripe: z.object({ publishableKey: z.string(), scriptUrl: z.string(), apiUrl: z.string() }),
      bankAccount: z.object({
        bank: z.string(), accountType: z.string(), accountNumber: z.string(), holder: z.string(), taxId: z.string(),
      }),
      siteUrl: z.string(),
      languages: z.array(language),
    }),
  }),
  'POST /api/pricing/create-payment-intent': endpoint({
    service: 'payments',
    summary: 'Start a card payment; the server sets the price',
    access: 'public',
    idempotent: true,
    limit: { max: 60, windowSeconds: 600 },
    body: z.object({
      trees, packageType, currency, customerEmail: email, customerName: personName, locale: localeTag.optional(),
      /** The quote whose prices the buyer saw; without one the prices of now apply. */
      quote: z.string().max(2000).optional(),
    }),
    response: z.object({
      client_secret: z.string(), orderId, orderToken, amount: amountMinor, currency, error: z.string().optional(),
    }),
    problems: ['quote-expired', 'quote-invalid', 'idempotency-conflict', 'payment-provider-failed', 'unavailable'],
  }),
  'POST /api/payments/stripe-webhook': endpoint({
    service: 'payments',
    summary: 'Where Stripe tells what happened; signed by Stripe',
    access: 'public',
    rawBody: true,
    maxBodyBytes: 1_000_000,
    limit: { max: 100_000, windowSeconds: 60 },
    response: z.object({ received: z.literal(true) }),
    problems: ['signature-invalid'],
  }),
}; // prettier-ignore
