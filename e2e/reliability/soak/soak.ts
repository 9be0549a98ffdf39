import sharp from 'sharp';
import type { Product } from '../../harness/product.ts';
import { inTurn, waitFor } from '../../harness/wait.ts';
import type { PartResult, RunOptions } from '../part.ts';
import { startOutside, startTested, type Tested } from '../setup.ts';
import {
  backAfter,
  grown,
  growthTable,
  latencies,
  MAX_P95_MS,
  p95,
  promiseFaults,
  STORM_COLUMNS,
  stormRow,
  strainOf,
  watch,
  wrongAnswers,
} from './judge.ts';
import { type Load, openLoad, type People, type Phase } from './load.ts';

/** Seconds, unless it says otherwise. */
const LONG = {
  minutes: 15,
  rate: 50,
  warmUp: 30,
  step: 10,
  storm: 60,
  after: 20,
  customers: 60,
  workers: 40,
};
/** A short run does not search for the knee. */
const SHORT = {
  minutes: 0.12,
  rate: 10,
  warmUp: 4,
  knee: 100,
  storm: 4,
  after: 4,
  customers: 10,
  workers: 6,
};
/** Growth of the rate in each step towards the knee. */
const STEP = 1.25;
const MAX_STEPS = 16;
const BACK_WITHIN_SECONDS = 10;
/** The sandbox repeats a failed webhook after 30 s and after a minute. */
const TOLD_AGAIN_WITHIN_MS = 100_000;

/**
 * A steady load, then a growing one up to the knee, then twice the knee. This process also runs the card provider and the mail server; the
 * product is a process of its own. `--minutes=15 --rate=50 --step=10 --knee=200 --storm=60`.
 */
export async function run(options: RunOptions): Promise<PartResult> {
  await using closing = new AsyncDisposableStack();
  const plan = planOf(options);
  const env = { RATE_LIMIT_SCALE: '100000', TRUSTED_PROXIES: '127.0.0.1' };
  const tested = await startTested(closing, await startOutside(closing), env);
  return await soak(plan, tested, openLoad(tested, await invite(tested, plan)), options.print);
}

/** `isTimed`: times and growth are judged. */
type Plan = typeof LONG & {
  knee?: number;
  isTimed: boolean;
};

function planOf({ short, settings }: RunOptions): Plan {
  const given = Object.entries(settings).map(([name, value]) => [name, Number(value)] as const);
  const wrong = given.find(([, value]) => !(value > 0));
  if (wrong) throw new Error(`--${wrong[0]} must be a number above 0`);
  return { ...LONG, ...(short && SHORT), ...Object.fromEntries(given), isTimed: !short };
}

async function invite({ logIn }: Tested, plan: Plan): Promise<People> {
  const customers = await inTurn(plan.customers, async (at) => {
    const email = `rosa-${at}@soak.test`;
    return { email, token: await logIn('customer', email) };
  });
  const workers = await inTurn(plan.workers, (at) =>
    logIn('worker', `worker-${at}@soak.test`, `QU-${100 + at}`),
  );
  return { customers, workers, admin: await logIn('admin', 'admin@soak.test'), photo: await aPhoto() };
}

/** Grain gives the photo a realistic size. */
const aPhoto = (): Promise<Uint8Array> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  return sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#3b6b3a', noise } })
    .jpeg({ quality: 80 })
    .toBuffer();
};

async function soak(plan: Plan, tested: Tested<Product>, load: Load, print: RunOptions['print']) {
  const { rate, isTimed } = plan;
  const violations: string[] = [];
  await (
    await load.send(rate, plan.warmUp)
  )();
  const listening = load.listen();

  const seconds = plan.minutes * 60;
  const looking = watch(tested, Math.min(10_000, (seconds * 1000) / 5));
  const answered = await load.send(rate, seconds);
  const samples = await looking.stop();
  const steady = await answered();
  // A busy machine may be overloaded by little.
  violations.push(...wrongAnswers(steady.made, !isTimed).map((wrong) => `at ${rate}/s: ${wrong}`));
  if (isTimed) violations.push(...timeFaults(rate, steady), ...growthFaults(samples));
  print(`${rate}/s: p95 ${p95(steady.made).toFixed(0)} ms, ${steady.made.length} requests`);

  const { knee, rows } = plan.knee ? { knee: plan.knee, rows: [] } : await findKnee(plan, load, print);
  const storm = await load.send(knee * 2, plan.storm, false);
  const after = await load.send(rate, plan.after);
  const [stormed, calmed] = [await storm(), await after()];
  rows.push(stormRow('twice the knee', knee * 2, stormed), stormRow('after it', rate, calmed));
  violations.push(...wrongAnswers(stormed.made, true).map((wrong) => `at twice the knee: ${wrong}`));
  const back = backAfter(calmed.made, plan.after);
  print(`twice the knee (${(knee * 2).toFixed(0)}/s): served again as before after ${back} s`);
  if (isTimed && back > BACK_WITHIN_SECONDS)
    violations.push(`${back} s after the storm answers were not as before`);
  const alive = await fetch(`${tested.product.url}/livez`).catch(() => undefined);
  if (alive?.status !== 200) violations.push('the product does not live any more');

  const { messages, refusals } = await listening.stop();
  const faults = await brokenPromises(tested, load);
  // 503 is right in a storm.
  const sentAway = new Set(refusals.filter((refusal) => !refusal.endsWith(' 503')));
  violations.push(...faults, ...[...sentAway].map((refusal) => `a listener was sent away: ${refusal}`));
  print(`${messages} messages to pages that stayed open, ${refusals.length} times sent away`);
  const { paid, photos } = load.promises;
  return {
    part: 'soak',
    work:
      `Embedded tier, everything on this machine; arrivals without regard to answers, times from when a request was due. ` +
      `${rate} requests a second for ${plan.minutes.toFixed(1)} min, then ${plan.storm} s of twice ` +
      `${plan.knee ? '' : 'the knee, '}${knee.toFixed(0)}/s; served as before ${back} s later. ` +
      `${paid.length} payments and ${photos.length} photos were counted afterwards.`,
    tables: [
      latencies(`At ${rate} requests a second`, steady),
      growthTable(samples),
      { title: 'Above it', columns: STORM_COLUMNS, rows },
    ],
    violations,
  };
}

/** Raises the rate until the product no longer keeps up. */
async function findKnee({ rate, step: seconds }: Plan, load: Load, print: RunOptions['print']) {
  const rows: (string | number)[][] = [];
  let knee = rate;
  for (let step = 1; step <= MAX_STEPS; step++) {
    const next = knee * STEP;
    const phase = await (await load.send(next, seconds))();
    rows.push(stormRow(`step ${step}`, next, phase));
    const strain = strainOf(phase.made, seconds);
    print(`${next.toFixed(0)}/s: ${strain ?? `p95 ${p95(phase.made).toFixed(0)} ms`}`);
    if (strain) break;
    knee = next;
  }
  return { knee, rows };
}

function timeFaults(rate: number, { made, visibleMs }: Phase): string[] {
  const unseen = visibleMs.filter((ms) => ms === Infinity).length;
  return [
    ...(p95(made) < MAX_P95_MS ? [] : [`p95 of all at ${rate}/s is ${p95(made).toFixed(0)} ms`]),
    ...(unseen === 0 ? [] : [`${unseen} paid orders did not show within 30 s`]),
  ];
}

const growthFaults = (samples: Parameters<typeof grown>[0]): string[] =>
  grown(samples)
    .filter(({ hasGrown }) => hasGrown)
    .map(({ name, before, after }) => `${name} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`);

/** Waits for repeated webhooks before it reports a fault. */
async function brokenPromises(tested: Tested, { promises }: Load): Promise<string[]> {
  await tested.settled();
  let faults: string[] = [];
  const isWhole = async () => {
    faults = await promiseFaults(tested, promises);
    return faults.length === 0;
  };
  await waitFor('what was promised', isWhole, TOLD_AGAIN_WITHIN_MS).catch(() => undefined);
  return faults;
}
