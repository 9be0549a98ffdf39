import { newKey } from '@arboleda/chassis/keys.ts';
import { TEST_ORDER_TOKEN_SECRET, testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { startTestIdentity, type TestIdentity, type TestPerson } from '@arboleda/chassis/testing/identity.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { encodeCursor } from '@arboleda/orders/list/listing.ts';
import type { Figures, Point, Series } from '../bench.ts';
import { median, percentile } from '../figures.ts';
import { canPin, CORES, openPostgres, ROOT, startServer } from '../processes.ts';
import { customerOf, daysUntil, lifeOf, workerOf } from './life.ts';
import { createFilled } from './stores.ts';

/** Something that somebody looks at. */
export interface Question {
  name: string;
  service: 'orders' | 'assignments';
  path: string;
  by?: TestPerson;
}

const YEAR_DAYS = 365;
/** The default page size, and one more to know whether there is a next page. */
const PAGE_ORDERS = 26;
/** Even the smallest data set has so many assigned orders. */
const FEW_ORDERS = 10;

/** The same questions for any number of orders; each finds about the same, but for those that ask about all. */
function questionsOf(total: number, nowMs: number): Question[] {
  const middle = lifeOf(Math.floor(total / 2), total, nowMs).order;
  const cursor = encodeCursor({ sort: 'newest', position: [middle.createdAt, middle._id] });
  const manage = (name: string, query: Record<string, string>): Question => ({
    name: `admin's list: ${name}`,
    service: 'orders',
    path: `/api/admin/orders/manage?${new URLSearchParams(query)}`,
    by: { role: 'admin' },
  });
  const day = (ago: number) => new Date(nowMs - ago * 86_400_000).toISOString().slice(0, 10);
  return [
    manage('first page', {}),
    manage('from the middle on', { cursor }),
    manage('completed', { status: 'completed' }),
    manage(`assigned, ${FEW_ORDERS} of them`, { status: 'assigned', limit: String(FEW_ORDERS) }),
    manage('highest amounts', { sort: 'amount' }),
    manage('a year ago, as many days as fill a page', {
      from: day(YEAR_DAYS + daysUntil(PAGE_ORDERS, total) - 1),
      to: day(YEAR_DAYS),
    }),
    manage('one order by its number', { q: middle._id.slice(-6) }),
    manage('a customer by the address', { q: middle.customer.email }),
    manage('a common first name', { q: 'maria' }),
    manage('a common first name, by name', { q: 'maria', sort: 'name' }),
    {
      name: "customer's list",
      service: 'orders',
      path: '/api/customers/orders',
      by: { role: 'customer', email: customerOf(1, total).email },
    },
    {
      name: "worker's list",
      service: 'assignments',
      path: '/api/workers/assignments',
      // The orders of the first two are given back wherever there are many workers.
      by: { role: 'worker', id: workerOf(2, total).workerId },
    },
    { name: 'public figures', service: 'orders', path: '/api/stats' },
    { name: "admin's overview", service: 'orders', path: '/api/admin/overview', by: { role: 'admin' } },
  ];
}

/** The two services that keep lists, alone on their database. */
interface ListServices {
  /** How long an answer took, milliseconds; Infinity when there was none. */
  ask(question: Question): Promise<number>;
}

/** @param identity who signs people's tokens */
async function startListServices(
  closing: AsyncDisposableStack,
  databaseUrl: string,
  identity: TestIdentity,
): Promise<ListServices> {
  const env = {
    DATABASE_URL: databaseUrl,
    AUTH_URL: new URL(identity.jwksUrl).origin,
    ORDER_TOKEN_SECRET: TEST_ORDER_TOKEN_SECRET,
    CERTIFICATE_KEY: newKey('ed25519'),
    SITE_URL: 'http://127.0.0.1:8080',
    LOG_LEVEL: 'error',
  };
  const startOne = async (service: ServiceName) =>
    closing.use(
      await startServer(service, '/readyz', (port) => ({
        args: [`services/${service}/main.ts`],
        cwd: ROOT,
        core: CORES.measured,
        env: { ...env, ...testServiceKeyVariables(service), PORT: String(port) },
      })),
    );
  const servers = { orders: await startOne('orders'), assignments: await startOne('assignments') };
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (by: NonNullable<Question['by']>) => {
    const key = JSON.stringify(by);
    if (!tokens.has(key)) tokens.set(key, identity.token(by));
    return tokens.get(key)!;
  };
  return {
    async ask({ service, path, by }) {
      const headers: Record<string, string> = by ? { authorization: `Bearer ${await tokenOf(by)}` } : {};
      const startedAt = performance.now();
      const response = await fetch(`${servers[service].url}${path}`, { headers });
      await response.arrayBuffer();
      return response.ok ? performance.now() - startedAt : Infinity;
    },
  };
}

/** A million take a quarter of an hour to write: GROW_SIZES=1000,100000 for less. */
const SIZES = (process.env.GROW_SIZES ?? '1000,100000,1000000').split(',').map(Number);
const QUICK_SIZES = [100, 1_000];
/** One call says little: the median of some is one round's figure. */
const CALLS = 9;

/** Milliseconds of each question in each round, among so many orders. */
interface Sized {
  total: number;
  tookMs: Map<string, number[]>;
}

/** Times the lists and figures that people open, among growing numbers of orders. */
export async function grow({ quick }: { quick: boolean }): Promise<Figures> {
  const sizes = quick ? QUICK_SIZES : SIZES;
  const rounds = quick ? 1 : 7;
  await using postgres = await openPostgres();
  const filled: Filled[] = [];
  for (const total of sizes) {
    const nowMs = Date.now();
    const databaseUrl = await createFilled(postgres.url, `grow_${total}`, { total, nowMs });
    filled.push({ total, nowMs, databaseUrl });
  }
  return figuresOf(await measure(filled, rounds), rounds);
}

/** A database with as many orders until then. */
interface Filled {
  total: number;
  nowMs: number;
  databaseUrl: string;
}

/** Sizes in turn within each round, so that what else the machine does falls on all of them alike. */
export async function measure(filled: readonly Filled[], rounds: number): Promise<Sized[]> {
  await using closing = new AsyncDisposableStack();
  const identity = await startTestIdentity();
  closing.defer(() => identity.close());
  const sized: { total: number; questions: Question[]; services: ListServices; tookMs: Sized['tookMs'] }[] =
    [];
  for (const { total, nowMs, databaseUrl } of filled)
    sized.push({
      total,
      questions: questionsOf(total, nowMs),
      services: await startListServices(closing, databaseUrl, identity),
      tookMs: new Map(),
    });
  for (let round = -1; round < rounds; round++) {
    for (let at = 0; at < sized[0]!.questions.length; at++) {
      for (const { questions, services, tookMs } of sized) {
        const question = questions[at]!;
        const took = await someCalls(services, question);
        // The round before the first one warms up.
        if (round >= 0) tookMs.set(question.name, [...(tookMs.get(question.name) ?? []), took]);
      }
    }
  }
  return sized;
}

async function someCalls(services: ListServices, question: Question): Promise<number> {
  const took: number[] = [];
  // One unanswered call is enough.
  while (took.length < CALLS && took.at(-1) !== Infinity) took.push(await services.ask(question));
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
      `evenly over three years, so that more orders are more a day; a customer has 3, a worker 200.`,
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
