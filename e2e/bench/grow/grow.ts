import { startTestIdentity, type TestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { join } from 'node:path';
import { openDataDir } from '../../harness/product.ts';
import { median, percentile } from '../figures.ts';
import { canPin } from '../peers/processes.ts';
import type { Figures, Point, Series } from '../report/bench.ts';
import { type Question, questionsOf } from './questions.ts';
import { openStage, type Stage } from './stage.ts';
import { createDatabases, dropMongodb, type Engines, fill } from './stores.ts';

/** A million take a quarter of an hour to write: GROW_SIZES=1000,100000 for less. */
const SIZES = (process.env.GROW_SIZES ?? '1000,100000,1000000').split(',').map(Number);
const QUICK_SIZES = [100, 1_000];
const GOAL = 1.5;
/** One call says little: the median of some is one round's figure. */
const CALLS = 9;

/** As many orders, and what each question took there: milliseconds, one figure a round. */
export interface Sized {
  total: number;
  tookMs: Map<string, number[]>;
}

/** What people look at, when there are more and more orders: on PostgreSQL, and on MongoDB where MONGODB_URL names one. */
export async function grow({ quick }: { quick: boolean }): Promise<Figures> {
  const sizes = quick ? QUICK_SIZES : SIZES;
  const rounds = quick ? 1 : 7;
  const { MONGODB_URL: mongodbUrl } = process.env;
  if (!mongodbUrl) console.log('MONGODB_URL names no MongoDB: measured on PostgreSQL alone.');
  const data = await openDataDir();
  const place = { dir: join(data.path, 'postgres'), logFile: join(data.path, 'postgres.log') };
  const postgres = await startPostgres({ ...place, password: 'arboleda' });
  try {
    const onPostgres = { databaseUrl: postgres.url };
    const stores = { PostgreSQL: onPostgres, ...(mongodbUrl && { MongoDB: { ...onPostgres, mongodbUrl } }) };
    const seen = new Map<string, Sized[]>();
    for (const [store, engines] of Object.entries(stores))
      seen.set(store, await measureOn(engines, `grow_${store.toLowerCase()}`, sizes, rounds));
    return figuresOf(seen, rounds);
  } finally {
    await postgres.close();
    await data.remove();
  }
}

/** @param name of the databases that are made, before their sizes */
async function measureOn(
  engines: Engines,
  name: string,
  sizes: readonly number[],
  rounds: number,
): Promise<Sized[]> {
  const made: { total: number; nowMs: number; engines: Engines }[] = [];
  try {
    for (const total of sizes) {
      const nowMs = Date.now();
      const own = await createDatabases(engines, `${name}_${total}`);
      made.push({ total, nowMs, engines: own });
      await fill(own, total, nowMs);
    }
    return await measure(made, rounds);
  } finally {
    for (const { engines: own } of made) await dropMongodb(own);
  }
}

/** Sizes in turn within each round, so that what else the machine does falls on all of them alike. */
export async function measure(
  filled: readonly { total: number; nowMs: number; engines: Engines }[],
  rounds: number,
): Promise<Sized[]> {
  const identity = await startTestIdentity();
  const stages: { total: number; questions: Question[]; stage: Stage; tookMs: Sized['tookMs'] }[] = [];
  try {
    for (const { total, nowMs, engines } of filled)
      stages.push(await openSized(total, nowMs, engines, identity));
    for (let round = -1; round < rounds; round++) {
      for (let at = 0; at < stages[0]!.questions.length; at++) {
        for (const { questions, stage, tookMs } of stages) {
          const question = questions[at]!;
          const took = await someCalls(stage, question);
          // The round before the first one warms up.
          if (round >= 0) tookMs.set(question.name, [...(tookMs.get(question.name) ?? []), took]);
        }
      }
    }
    return stages.map(({ total, tookMs }) => ({ total, tookMs }));
  } finally {
    await Promise.all(stages.map(({ stage }) => stage.close()));
    await identity.close();
  }
}

const openSized = async (total: number, nowMs: number, engines: Engines, identity: TestIdentity) => ({
  total,
  questions: questionsOf(total, nowMs),
  stage: await openStage(engines, identity),
  tookMs: new Map<string, number[]>(),
});

async function someCalls(stage: Stage, question: Question): Promise<number> {
  const took: number[] = [];
  // What is not answered takes long enough once.
  while (took.length < CALLS && took.at(-1) !== Infinity) took.push(await stage.ask(question));
  return took.at(-1) === Infinity ? Infinity : median(took);
}

function figuresOf(seen: ReadonlyMap<string, readonly Sized[]>, rounds: number): Figures {
  const pinned = canPin
    ? 'services on one core, who asks on the other, PostgreSQL where it likes'
    : 'no process kept on a core';
  return {
    bench: 'grow',
    work:
      `One after another, ${rounds} rounds of ${CALLS} calls (median of each), sizes in turn; ${pinned}. The orders were bought ` +
      `evenly over three years, so that more orders are more a day; a customer has 3, a worker 200. Goal: at most ${GOAL} × ` +
      'what it takes among the fewest orders.',
    tables: [...seen].map(([store, sized]) => ({
      title: `Milliseconds on ${store}, from first to third quarter of rounds, and the ratio to the fewest orders`,
      columns: ['question', ...sized.map(({ total }) => `${total.toLocaleString('en')} orders`)],
      rows: [...sized[0]!.tookMs.keys()].map((question) => [
        question,
        ...sized.map((one) => cell(one, sized[0]!, question)),
      ]),
    })),
    plot: {
      kind: 'lines',
      unit: 'times as long as among the fewest orders',
      x: 'orders',
      series: [...seen].flatMap(([store, sized]) => seriesOf(store, sized)),
    },
  };
}

function cell(one: Sized, least: Sized, question: string): string {
  const took = one.tookMs.get(question)!;
  if (median(took) === Infinity) return 'no answer';
  const ratio = median(took) / median(least.tookMs.get(question)!);
  const range = [0.25, 0.75].map((share) => percentile(took, share).toFixed(1)).join(' – ');
  return `${median(took).toFixed(1)} (${range})${one === least ? '' : `, ${ratio.toFixed(2)} ×`}`;
}

const seriesOf = (store: string, sized: readonly Sized[]): Series[] =>
  [...sized[0]!.tookMs.keys()].map((question) => ({
    name: `${store}: ${question}`,
    points: sized
      .map((one): Point => ({
        x: one.total,
        y: median(one.tookMs.get(question)!) / median(sized[0]!.tookMs.get(question)!),
      }))
      .filter(({ y }) => Number.isFinite(y)),
  }));
