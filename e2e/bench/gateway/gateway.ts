import { SERVICES } from '@arboleda/contracts/services.ts';
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuTime } from '../../harness/proc.ts';
import type { Figures } from '../bench.ts';
import {
  installCompetitor,
  openLoad,
  type Round,
  startPassingNginx,
  type Work,
} from '../competitors/install.ts';
import { inRounds, median, pointOf, withSpread } from '../figures.ts';
import { canPin, CORES, ROOT, startServer } from '../processes.ts';

/** A gateway that runs before the same upstream as the others, on the core of what is measured. */
export interface Competitor {
  name: string;
  url: string;
  /** Its one process. */
  pid: number;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('express-gateway.js', import.meta.url));
const ANSWERING = '/api/stats';

/** @param collector traces of every call go there; there are none when it is absent */
export async function startArboleda(upstream: string, collector?: string): Promise<Competitor> {
  const [metricsPort] = await freePorts(1);
  const name = collector ? 'Arboleda, tracing every call' : 'Arboleda';
  const server = await startServer(name, ANSWERING, (port, url) => ({
    args: ['gateway/main.ts'],
    cwd: ROOT,
    core: CORES.measured,
    env: {
      ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, upstream])),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      SITE_URL: url,
      LOG_LEVEL: 'info',
      // Limits count as ever, but one visitor may do what ten thousand do.
      RATE_LIMIT_SCALE: '1000000',
      WEB_DEV_URL: upstream,
      ...(collector && { OTEL_EXPORTER_OTLP_ENDPOINT: collector }),
    },
  }));
  return { name, ...server };
}

async function startExpress(upstream: string): Promise<Competitor> {
  const folder = await installCompetitor('express');
  const program = join(folder, 'gateway.js');
  await copyFile(PROGRAM, program);
  const server = await startServer('Express', ANSWERING, (port) => ({
    args: [program, upstream],
    core: CORES.measured,
    env: { PORT: String(port), NODE_ENV: 'production' },
  }));
  return { name: 'Express 5', ...server };
}

/** Plain proxying by one process: the limit. Undefined where there is no nginx. */
export async function startNginx(upstream: string): Promise<Competitor | undefined> {
  const nginx = await startPassingNginx(upstream);
  return nginx && { name: 'nginx', ...nginx };
}

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
  await using closing = new AsyncDisposableStack();
  const { url: upstream } = closing.use(
    await startServer('the upstream', '/', (port) => ({
      args: [UPSTREAM],
      core: CORES.others,
      env: { PORT: String(port) },
    })),
  );
  const competitors: Competitor[] = [];
  closing.defer(async () => void (await Promise.all(competitors.map((one) => one.stop()))));
  competitors.push(
    await startArboleda(upstream),
    await startArboleda(upstream, upstream),
    await startExpress(upstream),
  );
  const nginx = await startNginx(upstream);
  if (nginx) competitors.push(nginx);
  const measured = new Map<Work, Map<Competitor, Measure[]>>();
  for (const work of WORKS) {
    for (const one of competitors) await load(one.url, work, CONNECTIONS, seconds);
    const measure = async (one: Competitor): Promise<Measure> => {
      const before = cpuTime(one.pid);
      const round = await load(one.url, work, CONNECTIONS, seconds);
      const after = cpuTime(one.pid);
      const perCallUs = (part: 'all' | 'kernel') => ((after[part] - before[part]) * 1000) / round.answers;
      return { ...round, cpuUs: { all: perCallUs('all'), kernel: perCallUs('kernel') } };
    };
    measured.set(work, await inRounds(rounds, competitors, measure));
  }
  const pinned = canPin
    ? 'gateway on one core, upstream and generator on the other'
    : 'nothing is kept on a core of its own here';
  const how =
    `${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, in turn; ${pinned}. Compared is the processor's time that ` +
    `a call costs the gateway: in calls a second the generator and the upstream are the limit of the fast ones.` +
    (nginx ? '' : ' No nginx is installed.');
  return figuresOf(how, competitors, measured);
}

type Measured = ReadonlyMap<Work, ReadonlyMap<Competitor, readonly Measure[]>>;

/** A round, and what each of its calls cost the gateway. */
interface Measure extends Round {
  cpuUs: { all: number; kernel: number };
}

const rates = (rounds: readonly Measure[]): number[] => rounds.map(({ perSecond }) => perSecond);
const costs = (rounds: readonly Measure[], part: 'all' | 'kernel' = 'all'): number[] =>
  rounds.map(({ cpuUs }) => cpuUs[part]);

function figuresOf(work: string, competitors: readonly Competitor[], measured: Measured): Figures {
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
      rows: [...seen].map(([competitor, rounds]) => [
        competitor.name,
        withSpread(costs(rounds), 1),
        withSpread(costs(rounds, 'kernel'), 1),
        `${(median(costs(rounds)) / median(costs(seen.get(competitors[0]!)!))).toFixed(2)} ×`,
        withSpread(rates(rounds), 0),
        median(rounds.map(({ p99Ms }) => p99Ms)),
        rounds.reduce((sum, { failures }) => sum + failures, 0),
      ]),
    })),
    plot: {
      kind: 'bars',
      unit: 'CPU microseconds for a call',
      series: competitors.map((competitor) => ({
        name: competitor.name,
        points: [...measured].map(([{ name }, seen]) => pointOf(name, costs(seen.get(competitor)!))),
      })),
    },
  };
}
