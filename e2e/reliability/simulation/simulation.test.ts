import { describe, expect, test } from '@jest/globals';
import type { Act, History, Life, Trouble } from './history.ts';
import { describeFinding, live, replay, search } from './simulation.ts';

/** Another seed is another set of histories: `SIMULATION_SEED=7 npx jest …`. A path lives through one of them again. */
const SEED = Number(process.env.SIMULATION_SEED ?? 28);
const PATH = process.env.SIMULATION_PATH;
const ORDERS_AT_ONCE = 8;
/** 4.5 orders in each, so that there are more than 10,000. */
const HISTORIES = Number(process.env.SIMULATION_HISTORIES ?? 2_300);
const TIMEOUT_MS = 300_000;

describe('the product, while deliveries are late, lost, repeated and out of order', () => {
  test(
    'keeps every rule for 10,000 orders',
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

  test('does the same in the same history', async () => {
    const history: History = [
      {
        ...life([act('goOn'), act('goOn'), act('refundAll')]),
        troubles: [late('order.created', 'assignments')],
      },
      life([act('goOn'), act('goOn'), act('photo'), act('buyPackage')]),
    ];
    const [once, again] = [await live(history, { isTraced: true }), await live(history, { isTraced: true })];
    expect(once.lines.length).toBeGreaterThan(50);
    expect(again).toEqual(once);
  });
});

/** Histories that broke a rule once. */
describe('what once went wrong', () => {
  test.each<[string, Life]>([
    [
      'an order whose money went back while it was given to a worker is planted by nobody',
      {
        ...life([act('goOn'), act('refundAtProvider', 3)]),
        troubles: [late('webhook.payment', 'payments'), late('order.status_changed', 'assignments')],
      },
    ],
    [
      'an order that an admin takes back and sets to assigned has no worker, also when that is heard first',
      {
        ...life([act('goOn'), act('setStatus', 0), act('setStatus', 1)]),
        troubles: [{ ...late('order.status_changed', 'assignments'), nth: 1 }],
      },
    ],
    [
      'nobody keeps the address of who was forgotten between the announcement of a transfer and its approval',
      {
        ...life([act('erase'), act('goOn')]),
        by: 'transfer',
        troubles: [late('payment.submitted', 'orders')],
      },
    ],
    [
      'nobody is sent to plant what an admin said is planted, also when the order changed hands meanwhile',
      {
        ...life([act('goOn'), act('setStatus', 2), act('workerLeaves', 0)]),
        troubles: [late('order.status_changed', 'assignments')],
      },
    ],
    [
      'payments follows a buyer to another address, also when the order was edited before that was heard',
      {
        ...life([act('goOn'), act('move'), act('editPlace')]),
        troubles: [late('email.changed', 'orders')],
      },
    ],
    [
      'a donor hears of a photo that was hidden and restored, also when the restoring is heard first',
      {
        ...life([act('goOn'), act('goOn'), act('photo'), act('hidePhoto'), act('restorePhoto')]),
        troubles: [late('photo.hidden', 'notifications')],
      },
    ],
  ])('%s', async (_rule, one) => {
    expect(await live([one])).toMatchObject({ orders: 1, violation: undefined });
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
