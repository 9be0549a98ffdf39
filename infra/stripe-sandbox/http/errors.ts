import { createHash, timingSafeEqual } from 'node:crypto';
import type { PaymentIntent, PaymentMethod } from '../objects.ts';

interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  payment_intent?: PaymentIntent;
  payment_method?: PaymentMethod;
}

/** An error of the API: `{ error: body }` with the HTTP status. */
export class StripeProblem extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** Whether the request's changes are kept (a declined charge) or undone. */
  readonly keepsChanges: boolean;

  constructor(status: number, body: ErrorBody, keepsChanges = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.keepsChanges = keepsChanges;
  }
}

type Details = Partial<Pick<ErrorBody, 'code' | 'param' | 'payment_intent' | 'charge'>> & { status?: number };

export function invalidRequest(message: string, { status = 400, ...rest }: Details = {}): StripeProblem {
  return new StripeProblem(status, { type: 'invalid_request_error', message, ...rest });
}

export const parameterMissing = (param: string): StripeProblem =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

/** @param status 404 for an id in the path, 400 for one in a parameter */
export const noSuch = (kind: string, id: string, param: string, status: 400 | 404 = 404): StripeProblem =>
  invalidRequest(`No such ${kind}: '${id}'`, { code: 'resource_missing', param, status });

export const unexpectedState = (message: string, intent: PaymentIntent): StripeProblem =>
  invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: intent });

export interface Keys {
  secretKey: string;
  publishableKey: string;
}
export type KeyKind = 'secret' | 'publishable';

/**
 * The kind of the request's API key: a bearer token, or (Stripe.js) the parameter `key`.
 * @throws StripeProblem 401 without a valid key
 */
export function keyKind(authorization: string | undefined, keyParam: unknown, keys: Keys): KeyKind {
  const bearer = /^bearer\s+(\S+)/i.exec(authorization ?? '')?.[1];
  const key = bearer ?? (typeof keyParam === 'string' ? keyParam : undefined);
  if (!key) {
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (same(key, keys.secretKey)) return 'secret';
  if (same(key, keys.publishableKey)) return 'publishable';
  throw unauthorised(`Invalid API Key provided: ${masked(key)}`);
}

export const secretKeyRequired = (): StripeProblem =>
  invalidRequest(
    'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
    { code: 'secret_key_required', status: 401 },
  );

const unauthorised = (message: string) => invalidRequest(message, { status: 401 });

const masked = (key: string) =>
  key.length <= 12 ? '****' : `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;

const digest = (value: string) => createHash('sha256').update(value).digest();
export const same = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));
