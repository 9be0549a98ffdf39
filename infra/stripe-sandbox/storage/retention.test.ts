import { expect, test } from '@jest/globals';
import type { Delivery } from '../records.ts';
import { worthKeeping } from './retention.ts';

const DAY_S = 24 * 60 * 60;
const nowMs = 100 * DAY_S * 1000;
const ids = (kept: Array<{ id: string }>) => kept.map(({ id }) => id);

test('idempotency keys are forgotten after a day', () => {
  const keys = [
    { id: 'old', created: 98 * DAY_S },
    { id: 'new', created: 99.5 * DAY_S },
  ];
  expect(ids(worthKeeping('idempotency', keys, nowMs))).toEqual(['new']);
});

test('events are forgotten after thirty days, but not before they are delivered', () => {
  const events = [
    { id: 'old', created: 60 * DAY_S, pending_webhooks: 0 },
    { id: 'old and waiting', created: 60 * DAY_S, pending_webhooks: 1 },
    { id: 'new', created: 90 * DAY_S, pending_webhooks: 0 },
  ];
  expect(ids(worthKeeping('events', events, nowMs))).toEqual(['old and waiting', 'new']);
});

test('of very many deliveries the last ones and all that wait are kept', () => {
  const deliveries = Array.from({ length: 20_010 }, (_, index) => ({
    id: String(index),
    state: index === 3 ? 'held' : 'delivered',
  })) as Delivery[];
  const kept = ids(worthKeeping('deliveries', deliveries, nowMs));
  expect(kept[0]).toBe('3');
  expect(kept).toHaveLength(20_001);
});

test('payments are kept for good', () => {
  expect(worthKeeping('payment_intents', [{ id: 'pi_1', created: 0 }], nowMs)).toHaveLength(1);
});
