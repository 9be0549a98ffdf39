import type { PaymentState } from './payment.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Buyers who leave never come back to an intent after this long. */
const GIVE_UP_AFTER_MS = 30 * DAY_MS;
const MAX_PAUSE_MS = DAY_MS / 4;

/**
 * When to ask Stripe about a payment: soon after it was started, then ever less often the older it grows, so that
 * abandoned ones cost little.
 * @returns undefined when there is nothing to ask, or nothing more to expect.
 */
export function nextCheck(
  state: PaymentState,
  createdAt: Date,
  now: Date,
  afterMs: number,
): Date | undefined {
  const ageMs = now.getTime() - createdAt.getTime();
  if ((state.status !== 'open' && state.status !== 'processing') || ageMs > GIVE_UP_AFTER_MS)
    return undefined;
  const pauseMs = Math.min(Math.max(afterMs, ageMs / 4), MAX_PAUSE_MS);
  return new Date(now.getTime() + pauseMs);
}
