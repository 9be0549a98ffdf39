import { afterEach, describe, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { renderScreen } from '../../testing/render.tsx';
import { BarChart } from './BarChart.tsx';
import { byCurrency, ceilingOf, totalsOf } from './overview.ts';

const days = [
  { day: '2026-11-20', orders: 2, trees: 6, amounts: [{ currency: 'COP', amount: 500, refunded: 0 }] },
  { day: '2026-11-21', orders: 0, trees: 0, amounts: [] },
  {
    day: '2026-11-22',
    orders: 3,
    trees: 30,
    amounts: [
      { currency: 'COP', amount: 700, refunded: 200 },
      { currency: 'USD', amount: 90, refunded: 0 },
    ],
  },
] as Parameters<typeof byCurrency>[0];

test('amounts stay in their currency, with a value for every day', () => {
  expect(byCurrency(days)).toEqual([
    { currency: 'COP', amountMinor: 1200, refundedMinor: 200, byDay: [500, 0, 700] },
    { currency: 'USD', amountMinor: 90, refundedMinor: 0, byDay: [0, 0, 90] },
  ]);
});

test('orders and trees are added', () => {
  expect(totalsOf(days)).toEqual({ orders: 5, trees: 36 });
});

test.each([
  [[], 1],
  [[0, 0], 1],
  [[3, 1], 5],
  [[11], 20],
  [[100], 100],
  [[2076], 5000],
])('a scale for %j ends at %d', (values, end) => {
  expect(ceilingOf(values)).toBe(end);
});

describe('BarChart', () => {
  afterEach(cleanup);

  const bars = [1, 0, 4].map((value, at) => ({ label: `day ${at + 1}`, value, text: `${value} orders` }));

  const open = () =>
    renderScreen(<BarChart title="Orders by day" bars={bars} scale={String} />, { texts: ['desk'] });

  const slider = () => screen.getByRole('slider', { name: 'Orders by day' });

  const said = () => slider().getAttribute('aria-valuetext');

  test('values are reached by the keyboard, and said in words', async () => {
    await open();
    expect(said()).toBe('day 3: 4 orders');
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(said()).toBe('day 2: 0 orders');
    fireEvent.keyDown(slider(), { key: 'Home' });
    fireEvent.keyDown(slider(), { key: 'ArrowLeft' });
    expect(said()).toBe('day 1: 1 orders');
    fireEvent.keyDown(slider(), { key: 'End' });
    expect(said()).toBe('day 3: 4 orders');
  });

  test('all values stand in a table, too', async () => {
    await open();
    for (const { label, text } of bars)
      expect(screen.getByRole('row', { name: `${label} ${text}` })).toBeTruthy();
  });
});
