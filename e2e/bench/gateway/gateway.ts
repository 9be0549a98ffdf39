import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import { median, pointOf, withSpread } from '../figures.ts';
import { openLoad, type Round, type Work } from '../peers/load.ts';
import { canPin, CORES, end, start } from '../peers/processes.ts';
import type { Figures } from '../report/bench.ts';
import { type CpuTime, cpuTime } from './cpu.ts';
import { type Contestant, startArboleda, startExpress, startNginx } from './contestants.ts';

const UPSTREAM = fileURLToPath(new URL('upstream.ts', import.meta.url));
const CONNECTIONS = 32;

/** 2,000 bytes. */
const ORDER = JSON.stringify({ trees: 5, text: 'x'.repeat(1_979) });
const WORKS: readonly Work[] = [
  { name: 'GET of 85 B', method: 'GET', path: '/api/stats' },
  { name: 'GET of 10 kB', method: 'GET', path: '/api/pricing/dynamic' },
  { name: 'POST of 2 kB', method: 'POST', path: '/api/pricing/create-payment-intent', body: ORDER },
];

/** The gateway with all its duties on, beside the usual one of Node doing the same and nginx only passing on. */
export async function gateway({ quick }: { quick: boolean }): Promise<Figures> {
  const [rounds, seconds] = quick ? [1, 1] : [5, 5];
  const load = await openLoad();
  const [port] = await freePorts(1);
  const upstream = `http://127.0.0.1:${port}`;
  const server = start({ args: [UPSTREAM], core: CORES.others, env: { PORT: String(port) } });
  const contestants: Contestant[] = [];
  const measure = async (one: Contestant, work: Work): Promise<Measure> => {
    const before = cpuTime(one.pid);
    const round = await load(one.url, work, CONNECTIONS, seconds);
    const after = cpuTime(one.pid);
    const perCall = (part: keyof CpuTime) => (after[part] - before[part]) / round.answers;
    return { ...round, cpu: { all: perCall('all'), kernel: perCall('kernel') } };
  };
  try {
    await waitFor('the upstream', async () => (await fetch(upstream).catch(() => undefined))?.ok);
    contestants.push(await startArboleda(upstream), await startExpress(upstream));
    const nginx = await startNginx(upstream);
    if (nginx) contestants.push(nginx);
    const pinned = canPin
      ? 'gateway on one core, upstream and generator on the other'
      : 'nothing is kept on a core of its own here';
    const measured = new Map<Work, Map<Contestant, Measure[]>>();
    for (const work of WORKS) {
      const seen = new Map(contestants.map((one) => [one, [] as Measure[]]));
      for (const one of contestants) await load(one.url, work, CONNECTIONS, seconds);
      for (let round = 0; round < rounds; round++) {
        for (const one of contestants) seen.get(one)!.push(await measure(one, work));
      }
      measured.set(work, seen);
    }
    const lacking = nginx ? '' : ' No nginx is installed.';
    const how =
      `${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, in turn; ${pinned}. Compared is the processor's time that ` +
      `a call costs the gateway: in calls a second the generator and the upstream are the limit of the fast ones.${lacking}`;
    return figuresOf(how, contestants, measured);
  } finally {
    for (const one of contestants) await one.stop();
    await end(server);
  }
}

type Measured = ReadonlyMap<Work, ReadonlyMap<Contestant, readonly Measure[]>>;

/** A round, and what each of its calls cost the gateway. */
interface Measure extends Round {
  cpu: CpuTime;
}

const rates = (rounds: readonly Measure[]): number[] => rounds.map(({ perSecond }) => perSecond);
const costs = (rounds: readonly Measure[], part: keyof CpuTime = 'all'): number[] =>
  rounds.map(({ cpu }) => cpu[part]);

function figuresOf(work: string, contestants: readonly Contestant[], measured: Measured): Figures {
  return {
    bench: 'gateway',
    work,
    tables: [...measured].map(([{ name }, seen]) => ({
      title: name,
      columns: [
        'gateway',
        'CPU µs a call',
        'of it the kernel',
        'Arboleda is',
        'calls a second',
        'p99 ms',
        'failures',
      ],
      rows: [...seen].map(([contestant, rounds]) => [
        contestant.name,
        withSpread(costs(rounds), 1),
        withSpread(costs(rounds, 'kernel'), 1),
        `${(median(costs(rounds)) / median(costs(seen.get(contestants[0]!)!))).toFixed(2)} ×`,
        withSpread(rates(rounds), 0),
        median(rounds.map(({ p99Ms }) => p99Ms)),
        rounds.reduce((sum, { failures }) => sum + failures, 0),
      ]),
    })),
    plot: {
      kind: 'bars',
      unit: 'CPU microseconds for a call',
      series: contestants.map((contestant) => ({
        name: contestant.name,
        points: [...measured].map(([{ name }, seen]) => pointOf(name, costs(seen.get(contestant)!))),
      })),
    },
  };
}
