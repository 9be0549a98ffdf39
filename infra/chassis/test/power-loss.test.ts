import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Tree } from '../conformance/documents-kit.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { openTestPlatform } from '../testing/platform.ts';
import { openFragilePostgres } from '../testing/postgres.ts';
import { waitFor } from '../testing/wait.ts';

// The queue's library says on the console what it could not say to a database that is gone.
beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterAll(() => {
  jest.restoreAllMocks();
});

/** A process of a shop, whose orders a forest hears of; each makes a tree grow, and a gardener count it. */
async function openGarden(databaseUrl: string) {
  const platform = await openTestPlatform({ databaseUrl, onPostgres: true, stopWithinMs: 100 });
  const shop = await platform.documents('shop');
  const orders = await shop.collection<Tree>({ name: 'orders', indexes: [] });
  const forest = await platform.documents('forest');
  const trees = await forest.collection<Tree>({ name: 'trees', indexes: [] });
  const counts = await (await platform.documents('garden')).collection<Tree>({ name: 'counts', indexes: [] });
  await platform.bus.subscribe('forest', {
    'payment.failed': async ({ id: eventId, key }) => {
      const grown = (tree?: Tree) => ({
        document: { _id: key, height: (tree?.height ?? 0) + 1 },
        jobs: [{ name: 'count', payload: { key } }],
      });
      await trees.change(key, grown, { eventId, isNew: true });
    },
  });
  const jobs = platform.jobs('forest');
  await jobs.handle(
    'count',
    async ({ key }) => {
      await counts.change(String(key), () => ({ document: { _id: String(key) } }), { comesAgain: true });
    },
    { isShort: true },
  );
  return {
    buy: async () => {
      const id = anOrderId();
      await orders.change(id, () => ({ document: { _id: id }, events: [someNews(id)] }));
      return id;
    },
    stateOf: async (id: string) => ({
      isBought: (await orders.get(id)) !== undefined,
      height: (await trees.get(id))?.height,
      isCounted: (await counts.get(id)) !== undefined,
    }),
    isSettled: async () => (await shop.outboxAgeMs()) + (await forest.outboxAgeMs()) === 0,
    close: () => platform.close(),
  };
}
type Garden = Awaited<ReturnType<typeof openGarden>>;

const DONE = { isBought: true, height: 1, isCounted: true };
const CRASHES = 3;

test.each([
  ['at once', async () => undefined],
  [
    'when some of it has been seen',
    (garden: Garden, id: string) => waitFor(async () => (await garden.stateOf(id)).height === 1),
  ],
  [
    'when nothing is in hand any more',
    (garden: Garden, id: string) =>
      waitFor(async () => (await garden.stateOf(id)).isCounted && (await garden.isSettled())),
  ],
])(
  'what was accepted is done once, although the database crashes %s',
  async (_, until) => {
    const postgres = await openFragilePostgres();
    const bought: string[] = [];
    try {
      for (let crashes = 0; crashes <= CRASHES; crashes++) {
        const garden = await openGarden(await postgres.start());
        try {
          for (const id of bought) await waitFor(async () => (await garden.stateOf(id)).isCounted);
          for (const id of bought) expect(await garden.stateOf(id)).toEqual(DONE);
          if (crashes === CRASHES) break;
          const id = await garden.buy();
          bought.push(id);
          await until(garden, id);
        } finally {
          await postgres.crash();
          await garden.close().catch(() => undefined);
        }
      }
    } finally {
      await postgres.clear();
    }
  },
  120_000,
);
