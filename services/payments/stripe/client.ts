import Stripe from 'stripe';
import type { PaymentsConfig } from '../config.ts';

/** Background work may be patient. */
const PATIENT = { timeout: 10_000, maxNetworkRetries: 2 };
/** Somebody waits; both attempts fit in the ten seconds a request may take. */
export const PROMPT = { timeout: 3_500, maxNetworkRetries: 1 };

/** Stripe, or whatever speaks its API at the configured address. */
export function openStripeClient(config: Pick<PaymentsConfig['stripe'], 'apiUrl' | 'secretKey'>): Stripe {
  const api = new URL(config.apiUrl);
  const protocol = api.protocol === 'http:' ? 'http' : 'https';
  return new Stripe(config.secretKey, {
    ...PATIENT,
    host: api.hostname,
    port: api.port || (protocol === 'http' ? 80 : 443),
    protocol,
    telemetry: false,
  });
}

/** No connection, too many requests, or the same request still in hand. */
export const isPassing = (error: Stripe.errors.StripeError): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error.statusCode === 409 ||
  error.statusCode === 429;

/** Stripe understood and will not do it, however often it is asked. */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && !isPassing(error);

/** The id of an object that Stripe names or shows. */
export const idOf = (named: string | { id: string } | null | undefined): string | undefined =>
  typeof named === 'string' ? named : named?.id;
