import { newId } from './ids.ts';
import type { StripeEvent } from './objects.ts';
import type { Delivery } from './records.ts';
import type { Transaction } from './storage/store.ts';

/** The cause of an event: an API request, or the sandbox itself (no request). */
export interface Cause {
  tx: Transaction;
  nowS: number;
  apiVersion: string;
  requestId: string | null;
  idempotencyKey: string | null;
}

/** Stores an event with a snapshot of its object, and its webhook, in the same transaction. */
export function emit(cause: Cause, type: string, object: object, previous_attributes?: object): StripeEvent {
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
  return event;
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
