import { cpuTime, familyCpuMs, pictureProcesses } from '../../harness/proc.ts';
import { settled } from '../../harness/settled.ts';
import { waitFor } from '../../harness/wait.ts';
import type { Table } from '../../report/table.ts';
import type { PartResult, RunOptions } from '../parts.ts';
import {
  backAfter,
  countFaults,
  grown,
  growthTable,
  latencies,
  MAX_P95_MS,
  p95,
  percent,
  readCounts,
  type Sample,
  STORM_COLUMNS,
  stormRow,
  strainOf,
  watch,
  wrongAnswers,
} from './judge.ts';
import {
  type Ended,
  invite,
  type Load,
  openSetup,
  type PhaseResult,
  type Plan,
  planOf,
  type Setup,
  startLoad,
} from './setup.ts';

/** The rate grows by this from step to step on the way to the knee. */
const STEP = 1.25;
const MAX_STEPS = 16;
const BACK_WITHIN_SECONDS = 10;
/** Webhooks that failed come again after 30 s, then after a minute. */
const TOLD_AGAIN_WITHIN_MS = 100_000;

type Row = (string | number)[];

/** People use everything for a while; then more and more of them, until it is twice too many. See planOf for settings. */
export async function run(options: RunOptions): Promise<PartResult> {
  const plan = planOf(options);
  const setup = await openSetup();
  let load: Load | undefined;
  try {
    load = await startLoad(await invite(setup, plan.people));
    return await soak(plan, setup, load, options.print);
  } finally {
    await load?.close();
    await setup.close();
  }
}

async function soak(plan: Plan, setup: Setup, load: Load, print: RunOptions['print']): Promise<PartResult> {
  const violations: string[] = [];
  const storms: Row[] = [];
  const phase = async (name: string, ratePerSecond: number, seconds: number, patient = true) => {
    await load.send({ name, ratePerSecond, seconds, patient });
    return () => load.result({ name });
  };
  const { ratePerSecond: rate } = plan;

  await (
    await phase('warm-up', rate, plan.warmUpSeconds)
  )();
  await load.listen();
  const { steady, samples, processor } = await steadily(plan, setup, load, phase);
  // A machine that others use may be overrun by little.
  violations.push(...wrongAnswers(steady.made, !plan.isTimed).map((wrong) => `at ${rate}/s: ${wrong}`));
  if (plan.isTimed) violations.push(...timeFaults(rate, steady), ...growthFaults(samples));
  print(`${rate}/s: p95 ${p95(steady.made).toFixed(0)} ms, ${steady.made.length} requests`);

  const knee = plan.knee ?? (await findKnee(plan, phase, storms, print));
  const storm = await phase('twice the knee', knee * 2, plan.stormSeconds, false);
  const after = await phase('after it', rate, plan.afterSeconds);
  const [stormed, calmed] = [await storm(), await after()];
  storms.push(stormRow('twice the knee', knee * 2, stormed), stormRow('after it', rate, calmed));
  violations.push(...wrongAnswers(stormed.made, true).map((wrong) => `at twice the knee: ${wrong}`));
  const back = backAfter(calmed.made, plan.afterSeconds);
  print(`twice the knee (${(knee * 2).toFixed(0)}/s): served again as before after ${back} s`);
  if (plan.isTimed && back > BACK_WITHIN_SECONDS)
    violations.push(`${back} s after the storm answers were not as before`);
  violations.push(...(await lifeFaults(setup)));

  const ended = await load.end();
  const counts = await countedUp(setup, ended);
  violations.push(...countFaults(counts), ...listenerFaults(ended));
  const kept: Row[] = [
    ['charges ↔ orders', counts.charged.length],
    ['photos taken, and ready', ended.told.photos.length],
    ['messages to listeners', ended.listened.messages],
    ['listeners sent away (they came again)', ended.listened.refusals.length],
    ['mails', setup.mailsTaken()],
  ];
  return {
    part: 'soak',
    work:
      `Embedded tier, everything on this machine; arrivals without regard to answers, times from when a request was due. ` +
      `${rate} requests a second for ${(plan.steadySeconds / 60).toFixed(1)} min, then ${plan.stormSeconds} s of twice ` +
      `${plan.knee === undefined ? `the knee, ${knee.toFixed(0)}/s` : `${knee.toFixed(0)}/s`}; served as before ${back} s later.`,
    tables: [
      latencies(`At ${rate} requests a second`, steady),
      growthTable(samples),
      { title: 'Processors', columns: ['process', 'of one processor'], rows: processor, isDetail: true },
      { title: 'Above it', columns: STORM_COLUMNS, rows: storms } satisfies Table,
      { title: 'What was promised and kept', columns: ['what', 'count'], rows: kept, isDetail: true },
    ],
    violations,
  };
}

type PlayPhase = (
  name: string,
  ratePerSecond: number,
  seconds: number,
  patient?: boolean,
) => Promise<() => Promise<PhaseResult>>;

/** Includes children that have ended; 0 for a process that has just ended, because its parent counts it. */
function cpuMs(pid: number): number {
  const { all, ended } = cpuTime(pid);
  return Number.isNaN(all) && process.platform === 'linux' ? 0 : all + ended;
}
const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

async function steadily(plan: Plan, setup: Setup, load: Load, phase: PlayPhase) {
  const looking = watch(setup, plan.lookEveryMs);
  const used = () => ({
    product: cpuMs(setup.product.pid),
    'making of pictures, at low priority': sum(pictureProcesses(setup.product.pid).map(cpuMs)),
    PostgreSQL: familyCpuMs(setup.postgresPid),
    'load generator': cpuMs(load.pid),
    'card provider, mail server, this command': cpuMs(process.pid),
  });
  const [before, startedAt] = [used(), performance.now()];
  const result = await phase('steady', plan.ratePerSecond, plan.steadySeconds);
  const after = used();
  const seconds = (performance.now() - startedAt) / 1000;
  const samples = await looking.stop();
  const names = Object.keys(before) as (keyof typeof before)[];
  const processor: Row[] = names.map((name) => [
    name,
    percent((after[name] - before[name]) / 1000 / seconds),
  ]);
  return { steady: await result(), samples, processor };
}

/** The highest rate that was kept up with on the way up. */
async function findKnee(
  plan: Plan,
  phase: PlayPhase,
  rows: Row[],
  print: RunOptions['print'],
): Promise<number> {
  let knee = plan.ratePerSecond;
  for (let step = 1; step <= MAX_STEPS; step++) {
    const ratePerSecond = knee * STEP;
    const name = `step ${step}`;
    const asked = { ratePerSecond, seconds: plan.stepSeconds };
    const result = await (await phase(name, ratePerSecond, plan.stepSeconds))();
    rows.push(stormRow(name, ratePerSecond, result));
    const strain = strainOf(result.made, asked);
    print(`${ratePerSecond.toFixed(0)}/s: ${strain ?? `p95 ${p95(result.made).toFixed(0)} ms`}`);
    if (strain) return knee;
    knee = ratePerSecond;
  }
  return knee;
}

function timeFaults(rate: number, { made, visibleMs }: PhaseResult): string[] {
  const unseen = visibleMs.filter((ms) => ms === Infinity).length;
  return [
    ...(p95(made) < MAX_P95_MS ? [] : [`p95 of all at ${rate}/s is ${p95(made).toFixed(0)} ms`]),
    ...(unseen === 0 ? [] : [`${unseen} paid orders did not show within 30 s`]),
  ];
}

const growthFaults = (samples: readonly Sample[]): string[] =>
  grown(samples)
    .filter(({ hasGrown }) => hasGrown)
    .map(({ name, before, after }) => `${name} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`);

/** Once everything that was begun is finished, and what the provider could not tell in the storm was told again. */
async function countedUp(setup: Setup, { told }: Ended): Promise<Awaited<ReturnType<typeof readCounts>>> {
  await settled(setup.rows);
  const whole = async () => {
    const counts = await readCounts(setup, told);
    return countFaults(counts).length === 0 && counts;
  };
  return waitFor('what was promised', whole, TOLD_AGAIN_WITHIN_MS).catch(() => readCounts(setup, told));
}

/** It is the same process, and says that it lives. */
async function lifeFaults({ product }: Setup): Promise<string[]> {
  const alive = await fetch(`${product.url}/livez`).catch(() => undefined);
  return alive?.status === 200 ? [] : ['the product does not live any more'];
}

/** A stream may end at any time, and in a storm come late. */
const listenerFaults = ({ listened }: Ended): string[] =>
  [...new Set(listened.refusals.filter((refusal) => !refusal.endsWith(' 503')))].map(
    (refusal) => `a listener was sent away: ${refusal}`,
  );
