import { familyCpuMs } from '../harness/proc.ts';
import type { Table } from '../report/table.ts';
import { inRounds, median, ratio, withSpread } from './figures.ts';

/** Something that answers calls, Arboleda first among them. */
export interface Competitor {
  name: string;
  url: string;
  /** Its processes, for what they use of the processor. */
  pids: readonly number[];
}

/** Result of one round of a load generator. */
export interface Round {
  /** Those of the status that was wanted. */
  answers: number;
  perSecond: number;
  p99Ms: number;
  /** Answers of another status, and calls without an answer. */
  failures: number;
}

export interface Load<One> {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  /** Calls one of them for so long. */
  run(one: One, seconds: number): Promise<Round>;
}

/** Loads competitors in turn, once to warm up and then in rounds. @returns what each could do, and at what cost */
export async function compareUnderLoad<One extends Competitor>(
  title: string,
  competitors: readonly One[],
  { rounds, seconds, warmUpSeconds, run }: Load<One>,
): Promise<Table> {
  for (const one of competitors) await run(one, warmUpSeconds);
  const measured = await inRounds(rounds, competitors, async (one) => {
    const before = cpuMs(one);
    const round = await run(one, seconds);
    return { ...round, cpuUs: ((cpuMs(one) - before) * 1000) / round.answers };
  });
  const rows = competitors.map((one) => {
    const seen = measured.get(one)!;
    return {
      name: one.name,
      cpuUs: seen.map(({ cpuUs }) => cpuUs),
      perSecond: seen.map(({ perSecond }) => perSecond),
      p99Ms: median(seen.map(({ p99Ms }) => p99Ms)),
      failures: seen.reduce((sum, { failures }) => sum + failures, 0),
    };
  });
  const ours = rows[0]!;
  return {
    title,
    columns: ['by', 'CPU µs a call', 'Arboleda is', 'calls a second', 'Arboleda is', 'p99 ms', 'failures'],
    plotted: 'CPU µs a call',
    rows: rows.map(({ name, cpuUs, perSecond, p99Ms, failures }) => [
      name,
      withSpread(cpuUs),
      ratio(cpuUs, ours.cpuUs),
      withSpread(perSecond, 0),
      ratio(ours.perSecond, perSecond),
      p99Ms,
      failures,
    ]),
  };
}

const cpuMs = ({ pids }: Competitor): number => pids.reduce((sum, pid) => sum + familyCpuMs(pid), 0);
