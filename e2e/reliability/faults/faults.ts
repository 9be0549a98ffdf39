import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../harness/wait.ts';
import type { PartResult, RunOptions } from '../part.ts';
import { type Call, faultOf, isServed, once, openCalls, watch } from './calls.ts';
import { inContainers } from './containers.ts';
import { type Fault, FAULTS } from './proxy.ts';
import { type Dependency, openSetup, type Setup, type TierName } from './setup.ts';

type Plan = readonly (readonly [Dependency, Fault])[];

const LASTS_SECONDS = { long: 60, short: 3 };
/** After a fault. */
const SERVED_WITHIN_MS = 30_000;
const CAUGHT_UP_WITHIN_MS = 60_000;

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
 * few orders. `--tier=distributed`, `--seconds=20`, `--only=Kafka`; `--tier=containers` stops and pauses engines of docker compose.
 */
export async function run(options: RunOptions): Promise<PartResult> {
  const { short, print, settings } = options;
  if (settings.tier === 'containers') return inContainers(options);
  const seconds = Number(settings.seconds ?? LASTS_SECONDS[short ? 'short' : 'long']);
  const name: TierName = settings.tier === 'distributed' ? 'distributed' : 'embedded';
  const tier = name === 'distributed' ? DISTRIBUTED : EMBEDDED;
  const all = tier.dependencies.map((dependency) => FAULTS.map((fault) => [dependency, fault] as const));
  // The short form starts one product for all.
  const plans: Plan[] = (short ? [tier.short] : all)
    .map((plan) => plan.filter((one) => one.join(' ').includes(settings.only ?? '')))
    .filter((plan) => plan.length > 0);

  const ofCalls: string[][] = [];
  const recovered: string[][] = [];
  const violations: string[] = [];
  let names: string[] = [];
  for (const plan of plans) {
    await using closing = new AsyncDisposableStack();
    const setup = await openSetup(closing, name);
    const calls = await openCalls(setup);
    names = calls.map((call) => call.name);
    for (const [dependency, fault] of plan) {
      const label = `${dependency}, ${fault}`;
      const tried = await tryOut(setup, calls, dependency, fault, seconds * 1000);
      ofCalls.push([label, ...tried.ofCalls]);
      recovered.push([label, tried.servedAgain, tried.caughtUp]);
      violations.push(...new Set(tried.faults.map((one) => `${label}: ${one}`)));
      print(`${label}: ${tried.faults.length} faults, caught up after ${tried.caughtUp}`);
    }
  }
  return {
    part: name === 'embedded' ? 'faults' : 'faults --tier=distributed',
    work: `${tier.work}; each fault lasts ${seconds} s, in which each call is made again and again.`,
    tables: [
      {
        title: 'Served during the fault (slowest answer), and again after it',
        columns: ['fault', ...names],
        rows: ofCalls,
        isDetail: true,
      },
      {
        title: 'Time from the end of the fault',
        columns: ['fault', 'until every call is served', 'until paid and mailed'],
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
  await sleep(lastsMs);
  const stopping = watched.map((one) => one.stop());
  proxy.mend();
  const mendedAt = performance.now();
  const msUntil = (what: string, isSo: () => Promise<boolean>, withinMs: number): Promise<number> =>
    waitFor(what, isSo, withinMs).then(
      () => performance.now() - mendedAt,
      () => Infinity,
    );
  const back = await Promise.all(
    calls.map((call) => msUntil(call.name, async () => isServed(await once(call)), SERVED_WITHIN_MS)),
  );
  const seen = await Promise.all(stopping);
  const faults = calls.flatMap((call, at) => {
    const isServable = !call.needs.includes(dependency);
    const wrong = seen[at]!.flatMap((one) => faultOf(call, one, isServable) ?? []);
    return [
      ...(wrong.length > 0 ? [`${wrong.length} of ${seen[at]!.length}: ${wrong[0]}`] : []),
      ...(back[at] === Infinity ? [`${call.name} was not served again`] : []),
    ];
  });
  const caughtUpMs = await msUntil(
    'the order that was paid during the fault, and its receipt',
    async () => (await setup.driver.isVisible(payment.orderToken)) && setup.wasMailed(email),
    CAUGHT_UP_WITHIN_MS,
  );
  if (caughtUpMs === Infinity) faults.push('the payment during the fault was not completed');
  return {
    ofCalls: seen.map((some, at) => {
      const slowestMs = Math.max(...some.map(({ ms }) => ms));
      return `${some.filter(isServed).length}/${some.length} (${shown(slowestMs)}), ${shown(back[at]!)}`;
    }),
    servedAgain: shown(Math.max(...back)),
    caughtUp: shown(caughtUpMs),
    faults,
  };
}

const shown = (ms: number): string => (ms === Infinity ? 'never' : `${(ms / 1000).toFixed(1)} s`);
