import { openDriver, type StartedPayment } from '../../driver/driver.ts';
import { waitFor } from '../../harness/wait.ts';
import type { PartResult, RunOptions } from '../parts.ts';
import { type Call, faultOf, isServed, once, openCalls, type Seen, watch } from './calls.ts';
import { type Dependency, type Fault, FAULTS, openSetup, type Setup, type Tier } from './setup.ts';

const LASTS_MS = { long: 60_000, short: 3_000 };
/** After a fault everything is served again within this time, and what was begun in it is done. */
const BACK_WITHIN_MS = 30_000;

const SHORT: Record<Tier, readonly [Dependency, Fault][]> = {
  embedded: [
    ['PostgreSQL', 'down'],
    ['PostgreSQL', 'black hole'],
    ['card provider', 'reset'],
    ['mail server', 'down'],
  ],
  distributed: [
    ['MongoDB', 'down'],
    ['Kafka', 'reset'],
    ['Kafka', 'black hole'],
    ['object store', 'down'],
  ],
};

const DEPENDENCIES: Record<Tier, readonly Dependency[]> = {
  embedded: ['PostgreSQL', 'card provider', 'mail server'],
  distributed: ['Kafka', 'MongoDB', 'object store', 'PostgreSQL', 'card provider', 'mail server'],
};

/**
 * Breaks the proxy to each dependency in each proxy while people go on. Each dependency has a product of its own: after minutes
 * of buying, another's faults would be looked at among thousands of orders. `--tier=distributed`, `--seconds=20`, `--only=Kafka`.
 */
export async function run({ short, print, settings }: RunOptions): Promise<PartResult> {
  const lastsMs = settings.seconds ? Number(settings.seconds) * 1000 : LASTS_MS[short ? 'short' : 'long'];
  const tier: Tier = settings.tier === 'distributed' ? 'distributed' : 'embedded';
  const served: (string | number)[][] = [];
  const recovered: (string | number)[][] = [];
  const violations: string[] = [];
  let names: string[] = [];
  for (const plan of plansOf(tier, short, settings.only)) {
    const setup = await openSetup(tier);
    try {
      const calls = await openCalls(setup);
      names = calls.map(({ name }) => name);
      for (const [dependency, fault] of plan) {
        const tried = await tryOut(setup, calls, dependency, fault, lastsMs);
        const label = `${dependency}, ${fault}`;
        served.push([label, ...tried.seen.map(shareServed)]);
        recovered.push([
          label,
          ...tried.back.map((ms) => (ms === undefined ? 'never' : seconds(ms))),
          tried.caughtUp,
        ]);
        violations.push(...new Set(tried.faults.map((one) => `${label}: ${one}`)));
        print(`${label}: ${tried.faults.length} faults, caught up after ${tried.caughtUp}`);
      }
    } finally {
      await setup.close();
    }
  }
  return {
    part: tier === 'embedded' ? 'faults' : 'faults --tier=distributed',
    work: `${TIERS[tier]}; each fault lasts ${lastsMs / 1000} s, in which each call is made again and again.`,
    tables: [
      {
        title: 'Served during the fault (slowest answer)',
        columns: ['fault', ...names],
        rows: served,
        isDetail: true,
      },
      {
        title: 'Served again after the fault',
        columns: ['fault', ...names, 'paid and mailed'],
        rows: recovered,
      },
    ],
    violations,
  };
}

/** Faults for each product that is started. The short form starts one for all. */
function plansOf(tier: Tier, short: boolean, only = ''): (readonly [Dependency, Fault])[][] {
  const all = DEPENDENCIES[tier].map((dependency) =>
    FAULTS.map((fault): [Dependency, Fault] => [dependency, fault]),
  );
  return (short ? [SHORT[tier]] : all)
    .map((plan) => plan.filter((one) => one.join(' ').includes(only)))
    .filter((plan) => plan.length > 0);
}

async function tryOut(
  setup: Setup,
  calls: readonly Call[],
  dependency: Dependency,
  fault: Fault,
  lastsMs: number,
) {
  const faults: string[] = [];
  const driver = openDriver(setup.product);
  const email = `caught-up-${crypto.randomUUID()}@reliability.test`;
  const payment = await driver.start(email);
  const proxy = setup.proxies[dependency]!;
  proxy.break(fault);
  const watched = calls.map(watch);
  // The buyer's browser reaches the provider: money moves while we are ill.
  await driver.pay(payment.client_secret);
  await new Promise((resolve) => setTimeout(resolve, lastsMs));
  const stopping = watched.map((one) => one.stop());
  proxy.mend();
  const mendedAt = performance.now();
  const back = await Promise.all(calls.map((call) => servedAgain(call, mendedAt)));
  const seen = await Promise.all(stopping);
  for (const [at, call] of calls.entries()) {
    const isServable = !call.needs.includes(dependency);
    const wrong = seen[at]!.map((one) => faultOf(call, one, isServable)).filter((one) => one !== undefined);
    if (wrong.length > 0) faults.push(`${wrong.length} of ${seen[at]!.length}: ${wrong[0]}`);
    if (back[at] === undefined) faults.push(`${call.name} was not served again`);
  }
  const caughtUpMs = await caughtUp(setup, email, payment, mendedAt);
  if (caughtUpMs === undefined) faults.push('what was paid meanwhile was not told');
  return { seen, back, faults, caughtUp: caughtUpMs === undefined ? 'never' : seconds(caughtUpMs) };
}

async function servedAgain(call: Call, since: number): Promise<number | undefined> {
  while (performance.now() - since < BACK_WITHIN_MS) {
    if (isServed(await once(call))) return performance.now() - since;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}

/** An order that was paid in the fault is there, and its receipt arrived. */
async function caughtUp(
  { product, wasMailed }: Setup,
  email: string,
  payment: StartedPayment,
  since: number,
) {
  const driver = openDriver(product);
  try {
    await waitFor('the order', () => driver.isVisible(payment.orderToken), BACK_WITHIN_MS);
    await waitFor('its receipt', async () => wasMailed(email), BACK_WITHIN_MS);
    return performance.now() - since;
  } catch {
    return undefined;
  }
}

const TIERS = {
  embedded: 'Embedded tier: one process on PostgreSQL and files',
  distributed: 'Distributed tier: a process for each service, on Kafka, MongoDB, MinIO and PostgreSQL',
};

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function shareServed(seen: readonly Seen[]): string {
  const good = seen.filter(isServed).length;
  const slowest = Math.max(...seen.map(({ ms }) => ms));
  return `${good}/${seen.length} (${seconds(slowest)})`;
}
