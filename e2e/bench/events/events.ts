import { containersRun } from '@arboleda/local/checks/containers.ts';
import { mongoImage } from '@arboleda/chassis/testing/containers/mongo-image.ts';
import { openBuyer } from '../../harness/buyer.ts';
import { startCompose } from '../../harness/compose.ts';
import { median, percentile, spread } from '../figures.ts';
import { measureVisible } from '../line/visible.ts';
import { openKafkaPair, openPostgresPair } from './buses.ts';

/** How soon an event that is published is in a handler's hands, on both buses in turn; and a paid order, by containers. */
export async function events({ quick }: { quick: boolean }): Promise<void> {
  const rounds = quick ? 1 : 5;
  const perRound = quick ? 50 : 500;
  const pairs = [await openPostgresPair(), ...(containersRun() ? [await openKafkaPair()] : [])];
  try {
    const measured = new Map(pairs.map((pair) => [pair, [] as number[][]]));
    for (const pair of pairs) await pair.measure(perRound / 10);
    // In turn, so that what else the machine does meets both alike.
    for (let round = 0; round < rounds; round++) {
      for (const pair of pairs) measured.get(pair)!.push(await pair.measure(perRound));
    }
    console.log(
      `\nevents: published → handler begins, ${rounds} rounds of ${perRound} at 50 a second, in turn`,
    );
    for (const [pair, durations] of measured)
      console.log(`  ${pair.name.padEnd(24)}   ${summary(durations)}`);
  } finally {
    for (const pair of pairs) await pair.close();
  }
  if (!containersRun())
    return console.log('  Kafka and docker compose: left out, no container engine answers');
  await visibleByContainers(quick ? 10 : 200);
}

const summary = (rounds: readonly (readonly number[])[]): string => {
  const at = (share: number) => rounds.map((durations) => percentile(durations, share));
  const shown = (share: number) => `${median(at(share)).toFixed(1)} ms (${spread(at(share))})`;
  return `p50 ${shown(0.5)}, p99 ${shown(0.99)}`;
};

async function visibleByContainers(orders: number): Promise<void> {
  const product = await startCompose({ RATE_LIMIT_SCALE: '100000' });
  try {
    const buyer = openBuyer(product);
    await Promise.all(Array.from({ length: 8 }, () => buyer.buy('warm-up@bench.test')));
    const durations = await measureVisible(product, buyer, orders);
    console.log(
      `  webhook received → order visible, docker compose, ${orders} one by one   ` +
        `p50 ${percentile(durations, 0.5).toFixed(1)} ms, p99 ${percentile(durations, 0.99).toFixed(1)} ms`,
    );
    if ((await mongoImage()) !== 'mongo:8') {
      console.log('  (documents were on FerretDB, whose speed says nothing of MongoDB)');
    }
  } finally {
    await product.down();
  }
}
