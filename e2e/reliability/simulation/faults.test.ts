import { describe, expect, test } from '@jest/globals';
import { FAULTS } from './faults.ts';
import { inWords } from './history.ts';
import { replay, search } from './simulation.ts';

const SEED = Number(process.env.SIMULATION_SEED ?? 28);
/** Few orders in a history make shrinking fast. */
const ORDERS = 2;
const RUNS = 300;
/** Most histories until a fault is found. */
const FEW = 50;
/** Most acts and troubles in the shortest history. */
const SHORT = 8;

describe.each(FAULTS)('the planted fault "$name"', (fault) => {
  test('is found soon, shrunk to a few steps and replayed by its seed', async () => {
    const { found } = await search({ seed: SEED, runs: RUNS, orders: ORDERS, fault });
    if (!found) throw new Error('the fault was not found');
    expect(found.runs).toBeLessThanOrEqual(FEW);
    console.info([found.violation, ...inWords(found.history)].join('\n'));
    const { violation, history } = await replay(found.seed, found.path, { orders: ORDERS, fault });
    expect({ violation, history }).toEqual({ violation: found.violation, history: found.history });
    const steps = history.flatMap(({ acts, troubles }) => [...acts, ...troubles]);
    expect(steps.length).toBeLessThanOrEqual(SHORT);
  });
});
