import { newKey } from '@arboleda/chassis/keys.ts';
import { TEST_ORDER_TOKEN_SECRET, testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { startTestIdentity, type TestIdentity, type TestPerson } from '@arboleda/chassis/testing/identity.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { encodeCursor } from '@arboleda/orders/list/listing.ts';
import { type Figures, inRounds, median, percentile, ratio } from '../figures.ts';
import { CORES, openPostgres, ROOT, startServer, UNPINNED } from '../processes.ts';
import { customerOf, daysUntil, lifeOf, workerOf } from './life.ts';
import { createFilled } from './stores.ts';

/** Something that somebody looks at. */
interface Question {
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
  const cursor = encodeCursor({ sort: 'newest', position: [middle.createdAt, middle.id] });
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
    manage('one order by its number', { q: middle.id.slice(-6) }),
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
      by: { role: 'worker', id: workerOf(2, total).workerId },
    },
    { name: 'public figures', service: 'orders', path: '/api/stats' },
    { name: "admin's overview", service: 'orders', path: '/api/admin/overview', by: { role: 'admin' } },
  ];
}

/** Asks the two services that keep lists, which are alone on their database. @returns milliseconds */
type Ask = (question: Question) => Promise<number>;

/** @param identity who signs people's tokens */
async function startListServices(
  closing: AsyncDisposableStack,
  databaseUrl: string,
  identity: TestIdentity,
): Promise<Ask> {
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
  return async ({ service, path, by }) => {
    const headers: Record<string, string> = by ? { authorization: `Bearer ${await identity.token(by)}` } : {};
    const startedAt = performance.now();
    const response = await fetch(`${servers[service].url}${path}`, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return performance.now() - startedAt;
  };
}

/** A million take a quarter of an hour to write: GROW_SIZES=1000,100000 for less. */
const SIZES = (process.env.GROW_SIZES ?? '1000,100000,1000000').split(',').map(Number);
const QUICK_SIZES = [100, 1_000];
/** One call says little: the median of some is one round's figure. */
const CALLS = 9;

/** Times the lists and figures that people open, among growing numbers of orders. */
export async function grow({ quick }: { quick: boolean }): Promise<Figures> {
  const sizes = quick ? QUICK_SIZES : SIZES;
  const rounds = quick ? 1 : 7;
  await using closing = new AsyncDisposableStack();
  const postgres = closing.use(await openPostgres());
  const identity = await startTestIdentity();
  closing.defer(() => identity.close());
  const nowMs = Date.now();
  const databases: string[] = [];
  for (const total of sizes)
    databases.push(await createFilled(postgres.url, `grow_${total}`, { total, nowMs }));
  const sized: { questions: Question[]; ask: Ask }[] = [];
  for (const [at, total] of sizes.entries())
    sized.push({
      questions: questionsOf(total, nowMs),
      ask: await startListServices(closing, databases[at]!, identity),
    });
  /** The same question for each size, and how it is asked there. */
  const asked = sized[0]!.questions.map(({ name }, at) => ({
    name,
    bySize: sized.map(
      ({ questions, ask }) =>
        () =>
          ask(questions[at]!),
    ),
  }));
  // Sizes in turn for each question, so that what else the machine does falls on all of them alike.
  const calls = asked.flatMap(({ bySize }) => bySize);
  await inRounds(1, calls, someCalls);
  const measured = await inRounds(rounds, calls, someCalls);
  return {
    bench: 'grow',
    work:
      `One after another, ${rounds} rounds of ${CALLS} calls (median of each), sizes in turn; services on one core, who asks on the ` +
      `other, PostgreSQL where it likes.${UNPINNED} The orders were paid by card evenly over three years, so that more orders are more a ` +
      'day; a customer has 3, a worker 200.',
    tables: [
      {
        title: 'Milliseconds, from first to third quarter of rounds, and the ratio to the fewest orders',
        columns: ['question', ...sizes.map((total) => `${total.toLocaleString('en')} orders`)],
        plotted: `${sizes.at(-1)!.toLocaleString('en')} orders`,
        rows: asked.map(({ name, bySize }) => {
          const [least, ...more] = bySize.map((call) => measured.get(call)!);
          return [name, quarters(least!), ...more.map((took) => `${quarters(took)}, ${ratio(took, least!)}`)];
        }),
      },
    ],
  };
}

async function someCalls(call: () => Promise<number>): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < CALLS; at++) took.push(await call());
  return median(took);
}

function quarters(took: readonly number[]): string {
  const range = [0.25, 0.75].map((share) => percentile(took, share).toFixed(1)).join(' – ');
  return `${median(took).toFixed(1)} (${range})`;
}
