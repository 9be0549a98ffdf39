import { createHash } from 'node:crypto';
import type { IdempotentAnswer } from '../records.ts';
import { invalidRequest, StripeProblem } from './errors.ts';
import type { FormHash } from './form.ts';

/** Equal for requests with the same method, path and parameters. */
export function fingerprint(method: string, path: string, params: FormHash): string {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(`${method} ${path} ${JSON.stringify(sorted)}`)
    .digest('base64');
}

export function checkKey(key: string): void {
  if (key.length <= 255) return;
  throw invalidRequest(`Idempotency key is too long: ${key.length} characters, at most 255.`, {
    code: 'idempotency_key_too_long',
  });
}

/** @throws StripeProblem 400 when the key was first used for a different request */
export function sameRequest(saved: IdempotentAnswer, print: string): void {
  if (saved.fingerprint === print) return;
  throw new StripeProblem(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${saved.id}' if you meant to execute a different request.`,
  });
}

export const keyInUse = (key: string): StripeProblem =>
  invalidRequest(
    `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    { code: 'idempotency_key_in_use', status: 409 },
  );

/** Stripe stores answers of executed requests, not of those with invalid parameters. */
export const worthSaving = (status: number): boolean => status < 400 || status === 402;
