import { expect, test } from '@jest/globals';
import { arrivalOf, hasComeThrough, isSettled } from './arrival.ts';

test.each([
  ['package=success&order=7f', { why: 'success', orderId: '7f' }],
  ['package=cancelled&order=7f', { why: 'cancelled', orderId: '7f' }],
  ['growth=7f', { why: 'choose', orderId: '7f' }],
  ['package=success', undefined],
  ['package=other&order=7f', undefined],
  ['', undefined],
])('"%s"', (query, arrival) => {
  expect(arrivalOf(new URLSearchParams(query))).toEqual(arrival);
});

test('a purchase has come through when its order has a package that is not over', () => {
  const arrival = { why: 'success', orderId: '7f' } as const;
  const over = { completedAt: '2026-01-01T00:00:00Z' };
  expect(hasComeThrough(arrival, [])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '7f' }])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '7f', growth: [over] }])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '8a', growth: [{}] }])).toBe(false);
  expect(hasComeThrough(arrival, [{ _id: '7f', growth: [over, {}] }])).toBe(true);
});

test('of trees in the ground it is settled when its dates are there, too', () => {
  const arrival = { why: 'success', orderId: '7f' } as const;
  const order = (status: 'assigned' | 'planted', visits: unknown[]) => [
    { _id: '8a', status: 'planted' as const },
    { _id: '7f', status, growth: [{ completedAt: '2026-01-01T00:00:00Z', visits: [] }, { visits }] },
  ];
  expect(isSettled(arrival, [{ _id: '7f', status: 'planted' }])).toBe(false);
  expect(isSettled(arrival, order('planted', []))).toBe(false);
  expect(isSettled(arrival, order('planted', [{}]))).toBe(true);
  expect(isSettled(arrival, order('assigned', []))).toBe(true);
});
