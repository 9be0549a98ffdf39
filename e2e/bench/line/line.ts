import { residentMb } from '@arboleda/local/terminal/memory.ts';
import { makeTirelessWorker } from '../../harness/accounts.ts';
import { type Buyer, openBuyer } from '../../harness/buyer.ts';
import { openDataDir, type Product, startProduct } from '../../harness/product.ts';
import { waitFor } from '../../harness/wait.ts';
import { percentile, withSpread } from '../figures.ts';
import type { Figures } from '../report/bench.ts';
import { measureVisible } from './visible.ts';

/** The whole line in the embedded tier: how fast it starts, what it weighs, how soon an order shows, how many it takes. */
export async function line({ quick }: { quick: boolean }): Promise<Figures> {
  const orders = quick ? 20 : 300;
  const starts = quick ? 1 : 5;
  const data = await openDataDir();
  const env = { RATE_LIMIT_SCALE: '100000' };
  try {
    const first = await timedStart(data.path, env);
    await first.product.stop();
    const again: number[] = [];
    for (let at = 0; at < starts; at++) {
      const { product, seconds } = await timedStart(data.path, env);
      again.push(seconds);
      await product.stop();
    }
    const { product } = await timedStart(data.path, env);
    try {
      const idleMb = residentMb(product.pid);
      await makeTirelessWorker(product);
      const buyer = openBuyer(product);
      await Promise.all(Array.from({ length: 8 }, () => buyer.buy('warm-up@bench.test')));
      const visibleMs = await measureVisible(product, buyer, orders);
      const perSecond = await measureCheckouts(buyer, orders);
      return figuresOf([
        ['start to usable page, first (makes the database)', `${first.seconds.toFixed(1)} s`],
        [`start to usable page, later, median of ${starts}`, `${withSpread(again)} s`],
        ['memory after start', `${idleMb ?? '?'} MB`],
        ['memory after the work', `${residentMb(product.pid) ?? '?'} MB`],
        [
          `webhook received → order visible, ${visibleMs.length} one by one`,
          `p50 ${percentile(visibleMs, 0.5).toFixed(1)} ms, p99 ${percentile(visibleMs, 0.99).toFixed(1)} ms`,
        ],
        [
          `checkouts (intent → paid → order visible), ${orders} by 8 at once`,
          `${perSecond.toFixed(1)} per second`,
        ],
      ]);
    } finally {
      await product.stop();
    }
  } finally {
    await data.remove();
  }
}

const figuresOf = (rows: readonly (readonly [string, string])[]): Figures => ({
  bench: 'line',
  work: 'The embedded tier with its PostgreSQL; the generator runs on the same machine.',
  tables: [{ title: 'The whole line', columns: ['what', 'figure'], rows }],
});

/** Until the landing page and every service answer. The web app was built before. */
async function timedStart(
  dataDir: string,
  env: Record<string, string>,
): Promise<{ product: Product; seconds: number }> {
  const startedAt = performance.now();
  const product = await startProduct(dataDir, env);
  await waitFor('a usable page', async () => {
    const [ready, page] = await Promise.all([fetch(`${product.url}/readyz`), fetch(`${product.url}/`)]);
    await Promise.all([ready.arrayBuffer(), page.arrayBuffer()]);
    return ready.ok && page.ok;
  });
  return { product, seconds: (performance.now() - startedAt) / 1000 };
}

async function measureCheckouts(buyer: Buyer, orders: number): Promise<number> {
  const clients = 8;
  let left = orders;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left-- > 0) await buyer.buy('checkout@bench.test');
    }),
  );
  return orders / ((performance.now() - startedAt) / 1000);
}
