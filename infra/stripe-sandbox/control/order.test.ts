import { expect, test } from '@jest/globals';
import type { Delivery } from '../records.ts';
import { releaseOrder } from './order.ts';

const held = ['a', 'b', 'c'].map((event) => ({ id: `dlv_${event}`, event }) as Delivery);
const events = (deliveries: Delivery[]) => deliveries.map(({ event }) => event).join('');

test('held webhooks go in the order they came', () => expect(events(releaseOrder(held, {}))).toBe('abc'));
test('or the other way round', () => expect(events(releaseOrder(held, { order: 'reversed' }))).toBe('cba'));
test('or only those named, as named', () =>
  expect(events(releaseOrder(held, { events: ['c', 'a'] }))).toBe('ca'));
test('or in an order drawn by lot, none lost and none twice', () => {
  const lots = [0.9, 0.1, 0.5];
  expect(events(releaseOrder(held, { order: 'shuffled' }, () => lots.shift() ?? 0))).toBe('bca');
});
