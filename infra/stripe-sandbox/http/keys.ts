import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidRequest, type StripeProblem } from './errors.ts';

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
