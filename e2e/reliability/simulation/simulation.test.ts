import { describe, expect, test } from '@jest/globals';
import { type Act, type History, type Life, linesOf, type Trouble } from './history.ts';
import { FAULTS } from './faults.ts';
import { describeFinding, replay, runHistory, search } from './simulation.ts';

/** Another seed gives other histories: `SIMULATION_SEED=7 npm run jest -- e2e/reliability/simulation`. A path selects one of them. */
const SEED = Number(process.env.SIMULATION_SEED ?? 28);
const PATH = process.env.SIMULATION_PATH;
const ORDERS_AT_ONCE = 8;
/** 4.5 orders in each, so that there are more than 10,000. */
const HISTORIES = Number(process.env.SIMULATION_HISTORIES ?? 2_300);
const TIMEOUT_MS = 300_000;

describe('while deliveries are late, lost, repeated and out of order', () => {
  test(
    '10,000 orders keep every invariant',
    async () => {
      if (PATH !== undefined) {
        const { violation, lines } = await replay(SEED, PATH, { orders: ORDERS_AT_ONCE });
        console.info(lines.join('\n'));
        return expect(violation).toBeUndefined();
      }
      const { found, orders } = await search({ seed: SEED, runs: HISTORIES, orders: ORDERS_AT_ONCE });
      if (found) throw new Error(await describeFinding(found));
      expect(orders).toBeGreaterThan(HISTORIES * 4);
    },
    TIMEOUT_MS,
  );

  test('the same history gives the same run', async () => {
    const history: History = [
      {
        ...life([act('proceed'), act('proceed'), act('refundAll')]),
        troubles: [late('order.created', 'assignments')],
      },
      life([act('proceed'), act('proceed'), act('photo'), act('buyPackage')]),
    ];
    const [once, again] = [
      await runHistory(history, { isTraced: true }),
      await runHistory(history, { isTraced: true }),
    ];
    expect(once.lines.length).toBeGreaterThan(50);
    expect(again).toEqual(once);
  });
});

/** Histories that failed once. */
describe('regressions', () => {
  test.each<[string, Life]>([
    [
      'a fully refunded order is withdrawn, also when it was assigned at the same moment',
      {
        ...life([act('proceed'), act('refundAtProvider', 3)]),
        troubles: [late('webhook.payment', 'payments'), late('order.status_changed', 'assignments')],
      },
    ],
    [
      'an order that an admin takes back and sets to assigned has no worker, also when the events swap',
      {
        ...life([act('proceed'), act('setStatus', 0), act('setStatus', 1)]),
        troubles: [{ ...late('order.status_changed', 'assignments'), nth: 1 }],
      },
    ],
    [
      'an order that an admin set to planted is planted for its next worker too',
      {
        ...life([act('proceed'), act('setStatus', 2), act('workerLeaves', 0)]),
        troubles: [late('order.status_changed', 'assignments')],
      },
    ],
    [
      'payments copies a new email, also when the order was edited before the event arrived',
      {
        ...life([act('proceed'), act('move'), act('editPlace')]),
        troubles: [late('email.changed', 'orders')],
      },
    ],
    [
      'a returned refund is not counted again with the next one, also when the events swap',
      {
        ...life([act('proceed'), act('refundPart'), act('refundPart'), act('returnRefund')]),
        troubles: [{ ...late('payment.refunded', 'orders'), nth: 1 }],
      },
    ],
    [
      'a gift that nobody paid for yet is declined by nobody',
      { ...life([act('declineGifts')]), by: 'transfer', giftDays: 1 },
    ],
  ])('%s', async (_rule, one) => {
    expect(await runHistory([one])).toMatchObject({ orders: 1, violation: undefined });
  });
});

function life(acts: readonly Act[]): Life {
  return { by: 'card', trees: 1, buyer: 0, boughtMs: 0, acts, troubles: [] };
}
function act(name: Act['name'], which = 0): Act {
  return { name, afterMs: 20, which };
}
function late(what: string, to: string): Trouble {
  return { what, to, nth: 0, kind: 'late', ms: 600_000 };
}

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
    console.info([found.violation, ...linesOf(found.history)].join('\n'));
    const { violation, history } = await replay(found.seed, found.path, { orders: ORDERS, fault });
    expect({ violation, history }).toEqual({ violation: found.violation, history: found.history });
    const steps = history.flatMap(({ acts, troubles }) => [...acts, ...troubles]);
    expect(steps.length).toBeLessThanOrEqual(SHORT);
  });
});
