import { Problem } from '@arboleda/contracts/problems.ts';
import Stripe from 'stripe';
import { z } from 'zod';

/** For background work. */
const IN_BACKGROUND = { timeout: 10_000, maxNetworkRetries: 2 };
/** For requests: both attempts fit into the ten seconds a request may take. */
export const IN_REQUEST = { timeout: 3_500, maxNetworkRetries: 1 };

/** A client of Stripe, or of a sandbox at the configured address. */
export function openStripeClient(config: { apiUrl: string; secretKey: string }): Stripe {
  const api = new URL(config.apiUrl);
  const protocol = api.protocol === 'http:' ? 'http' : 'https';
  return new Stripe(config.secretKey, {
    ...IN_BACKGROUND,
    host: api.hostname,
    port: api.port || (protocol === 'http' ? 80 : 443),
    protocol,
    telemetry: false,
  });
}

/** No connection, a rate limit, or the same request still in progress. */
export const isPassing = (error: Stripe.errors.StripeError): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error.statusCode === 409 ||
  error.statusCode === 429;

/** Stripe rejects the request itself; a retry cannot help. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && !isPassing(error);

/** The id of a Stripe object, expanded or not. */
export const idOf = (named: string | { id: string } | null | undefined): string | undefined =>
  typeof named === 'string' ? named : named?.id;

/** Schemas of the fields we read from Stripe's objects; other fields are ignored. */

/** PostgreSQL text cannot hold zero bytes. */
const text = z
  .string()
  .max(5_000)
  .refine((value) => !value.includes('\0'));
const id = z.string().regex(/^[\w-]{1,255}$/);
/** An id, or the expanded object. */
const link = <Shape extends z.ZodType>(shape: Shape) => z.union([id, shape]).nullish();
const named = link(z.looseObject({ id }));
/** In the smallest unit of a currency at Stripe; 12 digits at most. */
const units = z.int().min(0).max(1e12);
const currency = z.string().regex(/^[a-z]{3}$/i);
const seconds = z.int().min(0).max(253_402_300_799);
const metadata = z.record(z.string(), text).nullish();

const balanceTransaction = z.looseObject({
  fee: z.int(),
  net: z.int(),
  currency,
  exchange_rate: z.number().positive().nullish(),
});

export const stripeCharge = z.looseObject({
  id,
  created: seconds,
  payment_intent: named,
  receipt_url: text.nullish(),
  balance_transaction: link(balanceTransaction),
  payment_method_details: z
    .looseObject({ card: z.looseObject({ brand: text.nullish(), last4: text.nullish() }).nullish() })
    .nullish(),
});

export const stripeIntent = z
  .looseObject({
    id,
    status: text,
    currency,
    metadata,
    amount_received: units.optional(),
    latest_charge: link(stripeCharge),
    last_payment_error: z
      .looseObject({
        decline_code: text.nullish(),
        code: text.nullish(),
        type: text.nullish(),
        charge: text.nullish(),
        payment_method: z.looseObject({ id }).nullish(),
      })
      .nullish(),
  })
  .refine(({ status, amount_received }) => status !== 'succeeded' || amount_received !== undefined, {
    path: ['amount_received'],
  });

export const stripeRefund = z.looseObject({
  id,
  amount: units,
  currency,
  created: seconds,
  payment_intent: named,
  metadata,
  reason: text.nullish(),
  status: text.nullish(),
  failure_reason: text.nullish(),
});

export const stripeDispute = z.looseObject({
  id,
  amount: units,
  currency,
  created: seconds,
  payment_intent: named,
  reason: text,
  status: text,
});

export const stripeSession = z.looseObject({
  id,
  metadata,
  payment_intent: named,
  status: text.nullish(),
  payment_status: text,
  url: text.nullish(),
  amount_total: units.nullish(),
  currency: currency.nullish(),
});

export const stripeEvent = z.looseObject({
  id,
  type: z.string().regex(/^[\w.]{1,200}$/),
  api_version: text.nullish(),
  data: z.looseObject({ object: z.looseObject({ object: z.string().optional() }) }),
});

/** @throws Problem `validation-failed`, which names the fields that differ from Stripe's documentation */
export function readStripe<Shape extends z.ZodType>(
  shape: Shape,
  object: unknown,
  path: readonly string[] = [],
): z.output<Shape> {
  const read = shape.safeParse(object);
  if (read.success) return read.data;
  const fields = read.error.issues.map((issue) => ({
    path: [...path, ...issue.path.map(String)].join('.'),
    type: 'invalid' as const,
  }));
  throw new Problem('validation-failed', {
    fields,
    detail: `not as Stripe documents it: ${fields.map((field) => field.path).join(', ')}`,
  });
}

export type StripeIntent = z.output<typeof stripeIntent>;
export type StripeCharge = z.output<typeof stripeCharge>;
