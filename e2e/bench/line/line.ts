import { makeTirelessWorker } from '../../harness/accounts.ts';
import { type Buyer, openBuyer } from '../../harness/buyer.ts';
import { openDataDir, startProduct } from '../../harness/product.ts';
import { percentile, pointOf, withSpread } from '../figures.ts';
import type { Figures } from '../report/bench.ts';
import { measureVisible } from './visible.ts';

const CLIENTS = 8;
const SHARES = [0.5, 0.99];

/** The whole line in the embedded tier: how soon a paid order shows, and how many checkouts it takes. */
export async function line({ quick }: { quick: boolean }): Promise<Figures> {
  const [rounds, orders] = quick ? [1, 10] : [5, 100];
  const visibleMs: number[][] = [];
  const perSecond: number[] = [];
  const data = await openDataDir();
  try {
    const product = await startProduct(data.path, { RATE_LIMIT_SCALE: '100000' });
    try {
      await makeTirelessWorker(product);
      const buyer = openBuyer(product);
      await Promise.all(Array.from({ length: CLIENTS }, () => buyer.buy('warm-up@bench.test')));
      for (let round = 0; round < rounds; round++) {
        visibleMs.push(await measureVisible(product, buyer, orders));
        perSecond.push(await measureCheckouts(buyer, orders));
      }
    } finally {
      await product.stop();
    }
  } finally {
    await data.remove();
  }
  const at = (share: number) => visibleMs.map((durations) => percentile(durations, share));
  return {
    bench: 'line',
    work: `The embedded tier with its PostgreSQL, ${rounds} rounds of ${orders} orders; the generator runs on the same machine.`,
    tables: [
      {
        title: 'The whole line',
        columns: ['what', 'figure'],
        rows: [
          ...SHARES.map((share) => [
            `webhook received → order visible, one by one, p${100 * share}`,
            `${withSpread(at(share))} ms`,
          ]),
          [
            `checkouts (intent → paid → order visible), by ${CLIENTS} at once`,
            `${withSpread(perSecond)} a second`,
          ],
        ],
      },
    ],
    plot: {
      kind: 'bars',
      unit: 'ms from webhook to visible order',
      series: [
        { name: 'embedded tier', points: SHARES.map((share) => pointOf(`p${100 * share}`, at(share))) },
      ],
    },
  };
}

async function measureCheckouts(buyer: Buyer, orders: number): Promise<number> {
  let left = orders;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left-- > 0) await buyer.buy('checkout@bench.test');
    }),
  );
  return orders / ((performance.now() - startedAt) / 1000);
}
