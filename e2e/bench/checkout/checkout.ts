import { containersRun } from '@arboleda/local/checks/containers.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { join } from 'node:path';
import pg from 'pg';
import { openDataDir } from '../../harness/product.ts';
import { median, spread } from '../figures.ts';
import { canPin, CORES } from '../peers/processes.ts';
import type { Figures, Series } from '../report/bench.ts';
import { startArboleda } from './arboleda.ts';
import { startArboledaDistributed } from './arboleda-distributed.ts';
import type { Contestant, Taken } from './contestant.ts';
import { openFloor } from './floor.ts';
import { startMedusa } from './medusa.ts';
import { pin } from './pin.ts';
import { startVendure } from './vendure.ts';

/** Clients at once, and the orders that they take together in a round. */
const LOADS = [
  { clients: 1, orders: 40 },
  { clients: 8, orders: 160 },
  { clients: 64, orders: 320 },
];
const QUICK_LOADS = [{ clients: 2, orders: 4 }];
/** Orders a second in each round, by clients. */
type Rates = Map<number, number[]>;
/** By who took them, and until what. */
type Board = Map<string, Rates>;

const MAILED = ', until its mails have gone too';

/** An order from its payment intent to its being stored, beside shops of the same ecosystem and plain SQL. */
export async function checkout({ quick }: { quick: boolean }): Promise<Figures> {
  const loads = quick ? QUICK_LOADS : LOADS;
  const rounds = quick ? 1 : 5;
  const data = await openDataDir();
  const place = { dir: join(data.path, 'database'), logFile: join(data.path, 'database.log') };
  const postgres = await startPostgres({ ...place, password: 'arboleda' });
  const contestants: Contestant[] = [];
  pin(process.pid, CORES.others);
  pin(postgres.pid, CORES.measured);
  try {
    contestants.push(await startArboleda(postgres.url, data.path));
    await contestants[0]!.take(4, 2);
    contestants.push(await openFloor(postgres.url));
    // They take longer to start than a quick run may last, and are installed when asked for.
    if (!quick) {
      contestants.push(await startVendure(await databaseOf(postgres.url, 'vendure')));
      contestants.push(await startMedusa(await databaseOf(postgres.url, 'medusa')));
    }
    const rates: Board = new Map();
    await compete(contestants, rates, { loads, rounds, warmsUp: !quick });
    if (!quick && containersRun()) {
      // Its many processes would take some of the others' time while they do nothing.
      for (const one of contestants.splice(0)) await one.stop();
      // What is started from here on may go where it likes.
      pin(process.pid, 'any');
      contestants.push(await startArboledaDistributed());
      await compete(contestants, rates, { loads, rounds, warmsUp: true });
    }
    return figuresOf(rates, rounds);
  } finally {
    pin(process.pid, 'any');
    for (const one of contestants) await one.stop();
    await postgres.close();
    await data.remove();
  }
}

/** In turn, so that what else the machine does falls on all of them alike. */
async function compete(
  contestants: readonly Contestant[],
  rates: Board,
  { loads, rounds, warmsUp }: { loads: typeof LOADS; rounds: number; warmsUp: boolean },
): Promise<void> {
  for (let round = warmsUp ? -1 : 0; round < rounds; round++) {
    for (const { clients, orders } of loads) {
      for (const one of contestants) {
        const count = Math.max(clients, Math.round(orders * one.share));
        const taken = await one.take(count, clients);
        // The round before the first one warms up.
        if (round >= 0) note(rates, one.name, clients, count, taken);
      }
    }
  }
}

function note(rates: Board, name: string, clients: number, count: number, { stored, done }: Taken): void {
  const until = { [name]: stored, ...(done !== undefined && { [name + MAILED]: done }) };
  for (const [row, seconds] of Object.entries(until)) {
    const seen = rates.get(row) ?? new Map<number, number[]>();
    rates.set(row, seen.set(clients, [...(seen.get(clients) ?? []), count / seconds]));
  }
}

async function databaseOf(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

function figuresOf(rates: Board, rounds: number): Figures {
  const [ours] = [...rates.values()];
  const pinned = canPin
    ? 'server and PostgreSQL on one core, buyers and the stand-in for Stripe on the other'
    : 'no process kept on a core';
  return {
    bench: 'checkout',
    work:
      `Orders a second, ${rounds} rounds in turn, ${pinned}. Arboleda: payment intent, card confirmed at the stand-in for ` +
      'Stripe, signed webhook, until payment, order and events are stored, which is as far as the others go; its mails and the ' +
      'looking for workers, which the others do not do, let them go first while the process is busy, and have a row of their own. Vendure: the seven ' +
      'calls of a storefront at its Shop API with the dummy payment handler, nothing else switched on. Medusa: the four calls of a ' +
      'storefront at its Store API for a product that is not shipped, with its system payment provider, in memory what Redis could ' +
      'hold, without dashboard and search index. Raw SQL: the rows of an order of Arboleda in tables with its indexes, one ' +
      'transaction each. On Kafka: the other tier, after the others and for itself, as it has more cores. Goal: at least 10 × ' +
      'Vendure and Medusa, 0.3 × raw SQL.',
    tables: [...ours!.keys()].map((clients) => ({
      title: clients === 1 ? '1 client' : `${clients} clients`,
      columns: ['who', 'orders a second', 'seen', 'Arboleda is, times'],
      rows: [...rates].map(([name, seen]) => {
        const each = seen.get(clients)!;
        const ratio = median(ours!.get(clients)!) / median(each);
        return [name, Math.round(median(each) * 10) / 10, spread(each), Math.round(ratio * 100) / 100];
      }),
    })),
    plot: {
      kind: 'bars',
      unit: 'orders a second',
      series: [...rates].map(([name, seen]): Series => ({
        name,
        points: [...seen].map(([clients, each]) => ({
          x: clients === 1 ? '1 client' : `${clients} clients`,
          ...{ y: median(each), low: Math.min(...each), high: Math.max(...each) },
        })),
      })),
    },
  };
}
