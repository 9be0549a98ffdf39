import { containersRun } from '@arboleda/local/checks/containers.ts';
import { mongoImage } from '@arboleda/chassis/testing/containers/mongo-image.ts';
import { openBuyer } from '../../harness/buyer.ts';
import { startCompose } from '../../harness/compose.ts';
import type { Table } from '../../report/table.ts';
import { percentile, pointOf, withSpread } from '../figures.ts';
import { measureVisible } from '../line/visible.ts';
import type { Figures } from '../report/bench.ts';
import { openKafkaPair, openPostgresPair } from './buses.ts';

const SHARES = [0.5, 0.99];

/** How soon an event that is published is in a handler's hands, on both buses in turn; and a paid order, by containers. */
export async function events({ quick }: { quick: boolean }): Promise<Figures> {
  const rounds = quick ? 1 : 5;
  const perRound = quick ? 50 : 500;
  // Containers take a minute to start, which is no quick proof.
  const withContainers = !quick && containersRun();
  const pairs = [await openPostgresPair(), ...(withContainers ? [await openKafkaPair()] : [])];
  const measured = new Map(pairs.map(({ name }) => [name, [] as number[][]]));
  try {
    for (const pair of pairs) await pair.measure(perRound / 10);
    // In turn, so that what else the machine does meets both alike.
    for (let round = 0; round < rounds; round++) {
      for (const pair of pairs) measured.get(pair.name)!.push(await pair.measure(perRound));
    }
  } finally {
    for (const pair of pairs) await pair.close();
  }
  const handled: Table = {
    title: 'Published → handler begins, ms',
    columns: ['bus', ...SHARES.map((share) => `p${100 * share}`)],
    rows: [...measured].map(([name, seen]) => [name, ...SHARES.map((share) => withSpread(at(seen, share)))]),
  };
  return {
    bench: 'events',
    work:
      `${rounds} rounds of ${perRound} events at 50 a second, in turn.` +
      (withContainers ? '' : ' Kafka and docker compose are left out.'),
    tables: [handled, ...(withContainers ? [await visibleByContainers(200)] : [])],
    plot: {
      kind: 'bars',
      unit: 'ms from publishing to the handler',
      series: [...measured].map(([name, seen]) => ({
        name,
        points: SHARES.map((share) => pointOf(`p${100 * share}`, at(seen, share))),
      })),
    },
  };
}

const at = (rounds: readonly (readonly number[])[], share: number): number[] =>
  rounds.map((durations) => percentile(durations, share));

async function visibleByContainers(orders: number): Promise<Table> {
  const product = await startCompose({ RATE_LIMIT_SCALE: '100000' });
  try {
    const buyer = openBuyer(product);
    await Promise.all(Array.from({ length: 8 }, () => buyer.buy('warm-up@bench.test')));
    const durations = await measureVisible(product, buyer, orders);
    const documents =
      (await mongoImage()) === 'mongo:8'
        ? ''
        : ' (documents on FerretDB, whose speed says nothing of MongoDB)';
    return {
      title: `Webhook received → order visible, docker compose, ${orders} one by one${documents}`,
      columns: ['share', 'ms'],
      rows: SHARES.map((share) => [`p${100 * share}`, percentile(durations, share)]),
    };
  } finally {
    await product.down();
  }
}
