import { describe, expect, test } from '@jest/globals';
import { FAULTS } from './faults.ts';
import { inWords } from './history.ts';
import { replay, search } from './simulation.ts';

const SEED = Number(process.env.SIMULATION_SEED ?? 28);
/** Few orders at a time: what is found is short from the start. */
const ORDERS = 2;
const RUNS = 300;
/** So many of those at most are lived through before a fault shows. */
const FEW = 50;
/** Acts and troubles of the shortest history that a person would still read. */
const SHORT = 8;

describe.each(FAULTS)('the fault that $name', (fault) => {
  test('is found, again by its seed, and in few words', async () => {
    const { found } = await search({ seed: SEED, runs: RUNS, orders: ORDERS, fault });
    if (!found) throw new Error('the fault was not found');
    expect(found.runs).toBeLessThanOrEqual(FEW);
    console.info([found.violation, ...inWords(found.history)].join('\n'));
    const { violation, history } = await replay(found.seed, found.path, { orders: ORDERS, fault });
    expect({ violation, history }).toEqual({ violation: found.violation, history: found.history });
    const words = history.flatMap(({ acts, troubles }) => [...acts, ...troubles]);
    expect(words.length).toBeLessThanOrEqual(SHORT);
  });
});
