import type { StartedPayment } from '../../driver/driver.ts';
import { waitFor } from '../../harness/wait.ts';
import type { PartResult, RunOptions } from '../parts.ts';
import { withClosers } from '../setup.ts';
import { type Call, faultOf, isServed, once, openCalls, watch } from './calls.ts';
import { type Fault, FAULTS } from './proxy.ts';
import { type Dependency, openSetup, type Setup, type TierName } from './setup.ts';

type Plan = readonly (readonly [Dependency, Fault])[];

const LASTS_SECONDS = { long: 60, short: 3 };
/** Everything is served again, and earlier work done, within this time after a fault. */
const BACK_WITHIN_MS = 30_000;

interface Tier {
  work: string;
  dependencies: readonly Dependency[];
  short: Plan;
}

const EMBEDDED: Tier = {
  work: 'Embedded tier: one process on PostgreSQL and files',
  dependencies: ['PostgreSQL', 'card provider', 'mail server'],
  short: [
    ['PostgreSQL', 'down'],
    ['PostgreSQL', 'black hole'],
    ['card provider', 'reset'],
    ['mail server', 'down'],
  ],
};
const DISTRIBUTED: Tier = {
  work: 'Distributed tier: a process for each service, on Kafka, MongoDB, MinIO and PostgreSQL',
  dependencies: ['Kafka', 'MongoDB', 'object store', 'PostgreSQL', 'card provider', 'mail server'],
  short: [
    ['MongoDB', 'down'],
    ['Kafka', 'reset'],
    ['Kafka', 'black hole'],
    ['object store', 'down'],
  ],
};

/**
 * Injects each fault between the product and each dependency while people use it. Each dependency gets a fresh product, so that it holds
 * few orders. `--tier=distributed`, `--seconds=20`, `--only=Kafka`.
 */
export async function run({ short, print, settings }: RunOptions): Promise<PartResult> {
  const seconds = Number(settings.seconds ?? LASTS_SECONDS[short ? 'short' : 'long']);
  const name: TierName = settings.tier === 'distributed' ? 'distributed' : 'embedded';
  const tier = name === 'distributed' ? DISTRIBUTED : EMBEDDED;
  const all = tier.dependencies.map((dependency) => FAULTS.map((fault) => [dependency, fault] as const));
  // The short form starts one product for all.
  const plans: Plan[] = (short ? [tier.short] : all)
    .map((plan) => plan.filter((one) => one.join(' ').includes(settings.only ?? '')))
    .filter((plan) => plan.length > 0);

  const served: (string | number)[][] = [];
  const recovered: (string | number)[][] = [];
  const violations: string[] = [];
  let names: string[] = [];
  for (const plan of plans)
    await withClosers(async (closers) => {
      const setup = await openSetup(closers, name);
      const calls = await openCalls(setup);
      names = calls.map((call) => call.name);
      for (const [dependency, fault] of plan) {
        const label = `${dependency}, ${fault}`;
        const tried = await tryOut(setup, calls, dependency, fault, seconds * 1000);
        served.push([label, ...tried.served]);
        recovered.push([label, ...tried.back, tried.caughtUp]);
        violations.push(...new Set(tried.faults.map((one) => `${label}: ${one}`)));
        print(`${label}: ${tried.faults.length} faults, caught up after ${tried.caughtUp}`);
      }
    });
  return {
    part: name === 'embedded' ? 'faults' : 'faults --tier=distributed',
    work: `${tier.work}; each fault lasts ${seconds} s, in which each call is made again and again.`,
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

async function tryOut(
  setup: Setup,
  calls: readonly Call[],
  dependency: Dependency,
  fault: Fault,
  lastsMs: number,
) {
  const email = `caught-up-${crypto.randomUUID()}@reliability.test`;
  const payment = await setup.driver.start(email);
  const proxy = setup.proxies[dependency]!;
  proxy.break(fault);
  const watched = calls.map(watch);
  // The buyer's browser reaches the provider: money moves during the fault.
  await setup.driver.pay(payment.client_secret);
  await new Promise((resolve) => setTimeout(resolve, lastsMs));
  const stopping = watched.map((one) => one.stop());
  proxy.mend();
  const mendedAt = performance.now();
  const back = await Promise.all(calls.map((call) => servedAgain(call, mendedAt)));
  const seen = await Promise.all(stopping);
  const faults = calls.flatMap((call, at) => {
    const isServable = !call.needs.includes(dependency);
    const wrong = seen[at]!.flatMap((one) => faultOf(call, one, isServable) ?? []);
    return [
      ...(wrong.length > 0 ? [`${wrong.length} of ${seen[at]!.length}: ${wrong[0]}`] : []),
      ...(back[at] === undefined ? [`${call.name} was not served again`] : []),
    ];
  });
  const caughtUpMs = await caughtUp(setup, email, payment, mendedAt);
  if (caughtUpMs === undefined) faults.push('the payment during the fault was not completed');
  return {
    served: seen.map((some) => {
      const slowestMs = Math.max(...some.map(({ ms }) => ms));
      return `${some.filter(isServed).length}/${some.length} (${shown(slowestMs)})`;
    }),
    back: back.map(shown),
    caughtUp: shown(caughtUpMs),
    faults,
  };
}

const shown = (ms: number | undefined) => (ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`);

async function servedAgain(call: Call, since: number): Promise<number | undefined> {
  while (performance.now() - since < BACK_WITHIN_MS) {
    if (isServed(await once(call))) return performance.now() - since;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}

/** The order that was paid during the fault is visible, and its receipt has arrived. */
async function caughtUp(
  { driver, wasMailed }: Setup,
  email: string,
  payment: StartedPayment,
  since: number,
): Promise<number | undefined> {
  try {
    await waitFor('the order', () => driver.isVisible(payment.orderToken), BACK_WITHIN_MS);
    await waitFor('its receipt', async () => wasMailed(email), BACK_WITHIN_MS);
    return performance.now() - since;
  } catch {
    return undefined;
  }
}
