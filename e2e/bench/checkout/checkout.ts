import { containersRun } from '@arboleda/cli/compose.ts';
import { openDatabase } from '../../harness/database.ts';
import { type Figures, ratio, withSpread } from '../figures.ts';
import { CORES, openPostgres, pin, UNPINNED } from '../processes.ts';
import { startArboleda, startArboledaDistributed } from './arboleda.ts';
import type { Competitor, Taken } from './competitor.ts';
import { startMedusa, startVendure } from './shops.ts';

/** Clients at once, and the orders that they take together in a round. */
interface Load {
  title: string;
  clients: number;
  orders: number;
  /** One client, whose next order comes when nothing is left to do for the one before. */
  isApart?: true;
}
const LOADS: readonly Load[] = [
  { title: '1 client, each order by itself', clients: 1, orders: 40, isApart: true },
  { title: '1 client, one order right after the other', clients: 1, orders: 40 },
  { title: '8 clients', clients: 8, orders: 160 },
  { title: '64 clients', clients: 64, orders: 320 },
];
const WARM_UP_CLIENTS = 8;
const QUICK_LOADS: readonly Load[] = [
  { title: '1 client, each order by itself', clients: 1, orders: 2, isApart: true },
  { title: '2 clients', clients: 2, orders: 4 },
];
/** Orders a second in each round, by competitor and what counts as done, and by load. */
type Rates = Map<string, Map<string, number[]>>;

const MAILED = ', until its mails have gone too';
const CONFIRMED = ', with the confirmation of the card at the Stripe sandbox';

/** An order from its payment intent to its being stored, beside shops of the same ecosystem. */
export async function checkout({ quick }: { quick: boolean }): Promise<Figures> {
  const loads = quick ? QUICK_LOADS : LOADS;
  const rounds = quick ? 1 : 5;
  await using postgres = await openPostgres();
  const competitors: Competitor[] = [];
  pin(process.pid, CORES.others);
  pin(postgres.pid, CORES.measured);
  try {
    competitors.push(await startArboleda(postgres.url));
    // They take longer to start than a quick run may last, and are installed when asked for.
    if (!quick) {
      competitors.push(await startVendure(await databaseOf(postgres.url, 'vendure')));
      competitors.push(await startMedusa(await databaseOf(postgres.url, 'medusa')));
    }
    const rates: Rates = new Map();
    await compete(competitors, rates, { loads, rounds, warmsUp: !quick });
    if (!quick && containersRun()) {
      // Its many processes would take some of the others' time while they do nothing.
      for (const one of competitors.splice(0)) await one.stop();
      // Later processes may use any core.
      pin(process.pid, 'any');
      try {
        competitors.push(await startArboledaDistributed());
        await compete(competitors, rates, { loads, rounds, warmsUp: true });
      } catch (error) {
        // The figures of the others, which took long, are still shown.
        console.error('On Kafka it broke off:', error);
        process.exitCode = 1;
      }
    }
    return figuresOf(rates, rounds);
  } finally {
    pin(process.pid, 'any');
    for (const one of competitors) await one.stop();
  }
}

/** In turn, so that what else the machine does falls on all of them alike. */
async function compete(
  competitors: readonly Competitor[],
  rates: Rates,
  { loads, rounds, warmsUp }: { loads: readonly Load[]; rounds: number; warmsUp: boolean },
): Promise<void> {
  for (const { warmsUpBy = 0, take } of competitors) {
    if (warmsUp && warmsUpBy > 0) await take(warmsUpBy, WARM_UP_CLIENTS);
  }
  for (let round = warmsUp ? -1 : 0; round < rounds; round++) {
    for (const { title, clients, orders, isApart } of loads) {
      for (const one of competitors) {
        const count = Math.max(clients, Math.round(orders * one.share));
        const taken = await (isApart ? takeApart(one, count) : one.take(count, clients));
        // The round before the first one warms up.
        if (round >= 0) note(rates, one.name, title, count, taken);
      }
    }
  }
}

/** One order after the other, each when nothing is left to do for the one before. */
async function takeApart(competitor: Competitor, orders: number): Promise<Taken> {
  let [stored, confirmed] = [0, 0];
  for (let taken = 0; taken < orders; taken++) {
    const one = await competitor.take(1, 1);
    stored += one.stored;
    confirmed += one.confirmed ?? 0;
  }
  return { stored, ...(confirmed > 0 && { confirmed }) };
}

function note(rates: Rates, name: string, load: string, count: number, taken: Taken): void {
  const rows = [
    [name, taken.stored],
    [name + CONFIRMED, taken.confirmed],
    [name + MAILED, taken.done],
  ] as const;
  for (const [row, seconds] of rows) {
    if (seconds === undefined) continue;
    const seen = rates.get(row) ?? new Map<string, number[]>();
    rates.set(row, seen.set(load, [...(seen.get(load) ?? []), count / seconds]));
  }
}

async function databaseOf(url: string, name: string): Promise<string> {
  await using client = await openDatabase(url);
  await client.query(`create database ${name}`);
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

function figuresOf(rates: Rates, rounds: number): Figures {
  const [ours] = [...rates.values()];
  return {
    bench: 'checkout',
    work:
      `Orders a second, ${rounds} rounds in turn; server and PostgreSQL on one core, buyers, the Stripe sandbox and the mail server on ` +
      `the other.${UNPINNED} Arboleda: payment intent, card confirmed at the ` +
      'Stripe sandbox (which keeps what it knows in memory), signed webhook, until payment, order and events are stored, which is as far as the others go; its mails, which the others do ' +
      'not send, have a row of their own. A single client waits in the first table until nothing is left to do for the order before; that time is not counted. ' +
      'Vendure: the seven ' +
      'calls of a storefront at its Shop API with the dummy payment handler, nothing else switched on. Medusa: the four calls of a ' +
      'storefront at its Store API for a product that is not shipped, with its system payment provider, in memory what Redis could ' +
      'hold, without dashboard and search index. ' +
      'Of a single client the confirmation of the card, which is between its browser and Stripe, is not counted; a row of its own has it. On Kafka: the other tier, after the others and for itself, as it has more cores; ' +
      'its broker and eight processes are warmed up by 1,000 orders, the others by some hundreds.',
    tables: [...ours!.keys()].map((load) => ({
      title: load,
      columns: ['who', 'orders a second', 'Arboleda is'],
      plotted: 'orders a second',
      rows: [...rates].flatMap(([name, seen]) => {
        const each = seen.get(load);
        return each ? [[name, withSpread(each), ratio(ours!.get(load)!, each)]] : [];
      }),
    })),
  };
}
