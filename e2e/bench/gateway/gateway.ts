import { SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Table } from '../../report/table.ts';
import { installCompetitor, startPassingNginx } from '../competitors/install.ts';
import { compareUnderLoad, type Competitor, type Round } from '../load.ts';
import { CORES, outputOf, ROOT, type Server, start, startServer, UNPINNED } from '../processes.ts';
import type { Figures } from '../figures.ts';

const PROGRAM = fileURLToPath(new URL('express-gateway.js', import.meta.url));
const UPSTREAM = fileURLToPath(new URL('upstream.ts', import.meta.url));
const ANSWERING = '/api/stats';
const CONNECTIONS = 32;

/** @param collector traces of every call go there; there are none when it is absent */
async function startArboleda(upstream: string, collector?: string): Promise<Server> {
  const [metricsPort] = await freePorts(1);
  return startServer('Arboleda', ANSWERING, (port, url) => ({
    args: ['gateway/main.ts'],
    cwd: ROOT,
    core: CORES.measured,
    env: {
      ...Object.fromEntries(SERVICES.map((name) => [urlVariable(name), upstream])),
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
}

async function startExpress(upstream: string): Promise<Server> {
  const program = join(await installCompetitor('express'), 'gateway.js');
  await copyFile(PROGRAM, program);
  return startServer('Express', ANSWERING, (port) => ({
    args: [program, upstream],
    core: CORES.measured,
    env: { PORT: String(port), NODE_ENV: 'production' },
  }));
}

interface Call {
  name: string;
  path: string;
  /** Sent by POST; a call without a body is a GET. */
  body?: string;
}

const CALLS: readonly Call[] = [
  { name: 'GET of 85 B', path: '/api/stats' },
  { name: 'GET of 10 kB', path: '/api/pricing/dynamic' },
  {
    name: 'POST of 2 kB',
    path: '/api/pricing/create-payment-intent',
    body: JSON.stringify({ trees: 5, text: 'x'.repeat(1_979) }),
  },
];

/** Opens the load generator: https://github.com/mcollina/autocannon, in a process of its own beside what is not measured. */
async function openLoad() {
  const program = join(await installCompetitor('load'), 'node_modules/autocannon/autocannon.js');
  return async (url: string, { path, body }: Call, seconds: number): Promise<Round> => {
    const options = ['--json', '--no-progress', '-c', String(CONNECTIONS), '-d', String(seconds)];
    if (body) options.push('-m', 'POST', '--body', body, '--headers', 'content-type=application/json');
    const args = [program, ...options, `${url}${path}`];
    const seen = JSON.parse(await outputOf(start({ args, core: CORES.others }, 'pipe'))) as {
      statusCodeStats: Record<string, { count: number }>;
      duration: number;
      errors: number;
      latency: { p99: number };
    };
    const good = seen.statusCodeStats[200]?.count ?? 0;
    const answered = Object.values(seen.statusCodeStats).reduce((sum, { count }) => sum + count, 0);
    return {
      answers: good,
      perSecond: good / seen.duration,
      p99Ms: seen.latency.p99,
      failures: answered - good + seen.errors,
    };
  };
}

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
  const add = (name: string, server: Server | undefined) => {
    if (server) competitors.push({ name, url: closing.use(server).url, pids: [server.pid] });
  };
  add('Arboleda', await startArboleda(upstream));
  add('Arboleda, tracing every call', await startArboleda(upstream, upstream));
  add('Express 5', await startExpress(upstream));
  add('nginx, only passing on', await startPassingNginx(upstream));
  const tables: Table[] = [];
  for (const call of CALLS) {
    const run = (one: Competitor, forSeconds: number) => load(one.url, call, forSeconds);
    tables.push(
      await compareUnderLoad(call.name, competitors, { rounds, seconds, warmUpSeconds: seconds, run }),
    );
  }
  return {
    bench: 'gateway',
    work:
      `${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, in turn; gateway on one core, upstream and generator on the ` +
      `other.${UNPINNED} Compared is the processor's time that a call costs the gateway: in calls a second the generator and the ` +
      'upstream are the limit of the fast ones.',
    tables,
  };
}
