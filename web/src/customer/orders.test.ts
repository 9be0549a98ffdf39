import { expect, test } from '@jest/globals';
import { statsOf } from './orders.ts';

test('trees count as planted from planted on, and each binds 22 kg of CO₂ a year', () => {
  const orders = [
    { status: 'pending', trees: 1 },
    { status: 'assigned', trees: 5 },
    { status: 'planted', trees: 20 },
    { status: 'completed', trees: 3 },
  ] as const;
  expect(statsOf(orders)).toEqual({ totalTrees: 29, treesPlanted: 23, totalOrders: 4, carbonOffset: 506 });
});

test('without orders all is zero', () => {
  expect(statsOf([])).toEqual({ totalTrees: 0, treesPlanted: 0, totalOrders: 0, carbonOffset: 0 });
});
