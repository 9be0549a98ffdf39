import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { join } from 'node:path';
import { openDataDir } from '../../harness/product.ts';
import { median, percentile } from '../figures.ts';
import { canPin } from '../peers/processes.ts';
import type { Figures, Point, Series } from '../report/bench.ts';
import { type Question, questionsOf } from './questions.ts';
import { openStage, type Stage } from './stage.ts';
import { createFilled } from './stores.ts';

/** A million take a quarter of an hour to write: GROW_SIZES=1000,100000 for less. */
const SIZES = (process.env.GROW_SIZES ?? '1000,100000,1000000').split(',').map(Number);
const QUICK_SIZES = [100, 1_000];
const GOAL = 1.5;
/** One call says little: the median of some is one round's figure. */
const CALLS = 9;

/** Milliseconds of each question in each round, among so many orders. */
export interface Sized {
  total: number;
  tookMs: Map<string, number[]>;
}

/** Times the lists and figures that people open, among growing numbers of orders. */
export async function grow({ quick }: { quick: boolean }): Promise<Figures> {
  const sizes = quick ? QUICK_SIZES : SIZES;
  const rounds = quick ? 1 : 7;
  const data = await openDataDir();
  const place = { dir: join(data.path, 'postgres'), logFile: join(data.path, 'postgres.log') };
  const postgres = await startPostgres({ ...place, password: 'arboleda' });
  try {
    const filled: Filled[] = [];
    for (const total of sizes) {
      const nowMs = Date.now();
      const databaseUrl = await createFilled(postgres.url, `grow_${total}`, { total, nowMs });
      filled.push({ total, nowMs, databaseUrl });
    }
    return figuresOf(await measure(filled, rounds), rounds);
  } finally {
    await postgres.close();
    await data.remove();
  }
}

/** A database with as many orders until then. */
interface Filled {
  total: number;
  nowMs: number;
  databaseUrl: string;
}

/** Sizes in turn within each round, so that what else the machine does falls on all of them alike. */
export async function measure(filled: readonly Filled[], rounds: number): Promise<Sized[]> {
  const identity = await startTestIdentity();
  const stages: { total: number; questions: Question[]; stage: Stage; tookMs: Sized['tookMs'] }[] = [];
  try {
    for (const { total, nowMs, databaseUrl } of filled)
      stages.push({
        total,
        questions: questionsOf(total, nowMs),
        stage: await openStage(databaseUrl, identity),
        tookMs: new Map(),
      });
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

async function someCalls(stage: Stage, question: Question): Promise<number> {
  const took: number[] = [];
  // One unanswered call is enough.
  while (took.length < CALLS && took.at(-1) !== Infinity) took.push(await stage.ask(question));
  return took.at(-1) === Infinity ? Infinity : median(took);
}

function figuresOf(seen: readonly Sized[], rounds: number): Figures {
  const pinned = canPin
    ? 'services on one core, who asks on the other, PostgreSQL where it likes'
    : 'no process kept on a core';
  return {
    bench: 'grow',
    work:
      `One after another, ${rounds} rounds of ${CALLS} calls (median of each), sizes in turn; ${pinned}. The orders were bought ` +
      `evenly over three years, so that more orders are more a day; a customer has 3, a worker 200. Goal: at most ${GOAL} × ` +
      'what it takes among the fewest orders.',
    tables: [
      {
        title: 'Milliseconds, from first to third quarter of rounds, and the ratio to the fewest orders',
        columns: ['question', ...seen.map(({ total }) => `${total.toLocaleString('en')} orders`)],
        rows: [...seen[0]!.tookMs.keys()].map((question) => [
          question,
          ...seen.map((one) => cell(one, seen[0]!, question)),
        ]),
      },
    ],
    plot: {
      kind: 'lines',
      unit: 'times as long as among the fewest orders',
      x: 'orders',
      series: seriesOf(seen),
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

const seriesOf = (sized: readonly Sized[]): Series[] =>
  [...sized[0]!.tookMs.keys()].map((question) => ({
    name: question,
    points: sized
      .map((one): Point => ({
        x: one.total,
        y: median(one.tookMs.get(question)!) / median(sized[0]!.tookMs.get(question)!),
      }))
      .filter(({ y }) => Number.isFinite(y)),
  }));
