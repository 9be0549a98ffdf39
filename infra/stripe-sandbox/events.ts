import { randomBytes } from 'node:crypto';
import type { Delivery, StripeEvent } from './objects.ts';
import type { Transaction } from './storage/store.ts';

/** The API version of the official client (stripe 23). */
export const API_VERSION = '2026-10-28.endive';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters and digits, as in Stripe's ids. */
export const randomText = (length: number): string =>
  [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('');

/** `newId('pi_3')` → pi_3 and 24 more letters. */
export const newId = (prefix: string, length = 24): string => prefix + randomText(length);

/** The cause of an event: an API request, or the sandbox itself (no request). */
export interface Cause {
  tx: Transaction;
  nowS: number;
  apiVersion: string;
  requestId: string | null;
  idempotencyKey: string | null;
}

/** The cause of events without a request. */
export const withoutRequest = (tx: Transaction, nowMs: number): Cause => ({
  tx,
  nowS: Math.floor(nowMs / 1000),
  apiVersion: API_VERSION,
  requestId: null,
  idempotencyKey: null,
});

/** Stores an event with a snapshot of its object, and its webhook, in the same transaction. */
export function emit(cause: Cause, type: string, object: object, previous_attributes?: object): void {
  const event = cause.tx.put('events', {
    id: newId('evt_3'),
    object: 'event',
    api_version: cause.apiVersion,
    created: cause.nowS,
    data: previous_attributes ? { object, previous_attributes } : { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
    type,
  });
  const mode = cause.tx.get('settings', 'webhooks')?.mode ?? 'deliver';
  const state = mode === 'deliver' ? 'pending' : mode === 'hold' ? 'held' : 'lost';
  cause.tx.put('deliveries', newDelivery(event, state, cause.nowS * 1000));
}

export const newDelivery = (event: StripeEvent, state: Delivery['state'], createdMs: number): Delivery => ({
  id: newId('dlv_'),
  event: event.id,
  type: event.type,
  state,
  attempts: 0,
  lastStatus: null,
  lastError: null,
  createdMs,
  deliveredMs: null,
});
