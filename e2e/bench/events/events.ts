import { containersRun } from '@arboleda/cli/containers.ts';
import type { Table } from '../../report/table.ts';
import { percentile, pointOf, withSpread } from '../figures.ts';
import type { Figures } from '../report/bench.ts';
import { openKafkaPair, openPostgresPair } from './buses.ts';

const SHARES = [0.5, 0.99];

/** How soon an event that is published is in a handler's hands, on both buses in turn. */
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
      (withContainers ? '' : ' Kafka is left out.'),
    tables: [handled],
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
