import { describe, expect, test } from '@jest/globals';
import { describeFinding, search } from './simulation.ts';

const SEED = Number(process.env.SIMULATION_SEED ?? 28);

describe('orders, from the purchase to the last photo', () => {
  test('keep every rule', async () => {
    const { found, orders, deliveries } = await search({
      seed: SEED,
      runs: Number(process.env.RUNS ?? 200),
      orders: 8,
    });
    console.log(orders, deliveries);
    if (found) throw new Error(await describeFinding(found));
    expect(orders).toBeGreaterThan(1);
  }, 120_000);
});
