import { readFile, rm } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import type { Table } from '../../report/table.ts';
import { recordingOf } from './recording.ts';

/** Statements with the same text and caller; `stack` is V8's text. */
export interface Asked {
  text: string;
  stack: string;
  times: number;
}

export type Profile = Profiler.Profile;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RECORDER = new URL('recorder.ts', import.meta.url).href;
const DEAREST = 10;
/** Files that ask for others. */
const PASSES_ON =
  /^infra\/chassis\/(adapters\/postgres\/(sql|jobs)\/|adapters\/postgres\/outbox|records|locked-records|telemetry\/|audit\/|context|concurrency)/;

/** Settings with which the product can be recorded. */
export const RECORDING_ENV = { NODE_OPTIONS: `--import=${RECORDER}` };

/** Lets recorder.ts note what a running product does meanwhile: the statements the first time, the profile the second time. */
export async function record<T extends Asked[] | Profile>(
  pid: number,
  work: () => Promise<unknown>,
): Promise<T> {
  const file = recordingOf(pid);
  process.kill(pid, 'SIGUSR2');
  await work();
  process.kill(pid, 'SIGUSR2');
  const text = await waitFor('the recording', () => readFile(file, 'utf8').catch(() => undefined));
  await rm(file);
  return JSON.parse(text) as T;
}

/** Without what differs from order to order. */
const oneLine = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/'[\w-]*\d[\w-]{15,}'/g, '…')
    .trim();

/**
 * Milliseconds that PostgreSQL took for each text, as "log_min_duration_statement = 0" says: a line each for parsing, binding
 * and running.
 */
export function durations(log: string): Map<string, number> {
  const spent = new Map<string, number>();
  for (const entry of log.split(/^(?=\d{4}-\d\d-\d\d [\d:.]+ )/m)) {
    const [, ms, said] = /LOG: {2}duration: ([\d.]+) ms {2}(?:[^:]*): ([^]*)$/.exec(entry) ?? [];
    if (!said) continue;
    const text = oneLine(said);
    spent.set(text, (spent.get(text) ?? 0) + Number(ms));
  }
  return spent;
}

interface Frame {
  name: string;
  /** Beside the project's root, or `node:fs`; a package's name for its files. */
  file: string;
}

/** The project's own path of a file, the package that it belongs to, or a module of Node. */
function placeOf(url: string): string {
  const path = url.replace(/^file:\/\//, '');
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
  if (inPackage && !inPackage[1]!.startsWith('@arboleda/')) return inPackage[1]!;
  return path.startsWith(ROOT) ? path.slice(ROOT.length) : path;
}
const isOwn = (file: string) => /\.[tj]s$/.test(file) && !file.startsWith('e2e/');
const isRecorder = (file: string) => file.startsWith('e2e/');

function framesOf(stack: string): Frame[] {
  return stack.split('\n').flatMap((line) => {
    const [, name = '', url] =
      /^\s+at (?:async )?(?:(.*?) \()?((?:file:|node:|\/)[^)]*?):\d+:\d+\)?$/.exec(line) ?? [];
    return url ? [{ name, file: placeOf(url) }] : [];
  });
}

/** The caller: the first of the project's functions that is not itself a way to ask; else the package. */
function callerOf(stack: string): string {
  const frames = framesOf(stack);
  const own = frames.filter(({ file }) => isOwn(file));
  const caller = own.find(({ file }) => !PASSES_ON.test(file)) ?? own[0];
  if (caller) return `${caller.file} ${caller.name}`.trim();
  return frames.find(({ file }) => !/^(node:|pg$|pg-pool$)/.test(file) && !isRecorder(file))?.file ?? '';
}

/** The ten dearest: statements by what PostgreSQL spends on them, and places of the code by the processor's time. */
export function whyTables(
  { statements: asked, log, profile }: { statements: readonly Asked[]; log: string; profile: Profile },
  orders: number,
): Table[] {
  const spent = durations(log);
  const timesOf = new Map<string, number>();
  for (const { text, times } of asked) {
    const key = oneLine(text);
    timesOf.set(key, (timesOf.get(key) ?? 0) + times);
  }
  const rows = new Map<string, [string, string, number, number]>();
  for (const { text, stack, times } of asked) {
    const key = oneLine(text);
    const caller = callerOf(stack);
    const row = rows.get(key + caller) ?? [key.slice(0, 110), caller, 0, 0];
    row[2] += times / orders;
    row[3] += ((spent.get(key) ?? 0) * (times / timesOf.get(key)!)) / orders;
    rows.set(key + caller, row);
  }
  const statements = [...rows.values()].toSorted((one, other) => other[3] - one[3]);
  const ofProcessor = processorTimes(profile);
  const perOrder = (times: ReadonlyMap<string, number>) =>
    [...times]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, DEAREST)
      .map(([what, ms]) => [what, ms / orders]);
  return [
    {
      title: 'Statements',
      columns: ['statement', 'asked by', 'an order', 'ms of PostgreSQL an order'],
      rows: statements.slice(0, DEAREST),
      isDetail: true,
    },
    {
      title: 'All statements that most orders need, by who asks',
      columns: ['statement', 'asked by', 'an order', 'ms of PostgreSQL an order'],
      rows: statements
        .filter(([, , times]) => times >= 0.1)
        .toSorted(([, one], [, other]) => one.localeCompare(other)),
      isDetail: true,
    },
    {
      title: 'Processor, by function of the product, with what it calls outside the product',
      columns: ['function', 'ms an order'],
      rows: perOrder(ofProcessor.byFunction),
      isDetail: true,
    },
    {
      title: 'Processor, by where the time itself goes',
      columns: ['package or module', 'ms an order'],
      rows: perOrder(ofProcessor.byPlace),
      isDetail: true,
    },
  ];
}

/** Sums the samples of a profile. */
export function processorTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byFunction = new Map<string, number>();
  const byPlace = new Map<string, number>();
  const add = (to: Map<string, number>, what: string, ms: number) => to.set(what, (to.get(what) ?? 0) + ms);
  samples.forEach((sample, at) => {
    const ms = (timeDeltas[at] ?? 0) / 1_000;
    const { callFrame } = byId.get(sample)!;
    // Starting the profile is no work of the product.
    if (callFrame.functionName === '(idle)' || callFrame.url === 'node:inspector') return;
    const place = placeOf(callFrame.url);
    add(byPlace, isOwn(place) ? place : place || callFrame.functionName, ms);
    let nearest: number | undefined = sample;
    while (nearest !== undefined && !isOwn(placeOf(byId.get(nearest)!.callFrame.url)))
      nearest = parents.get(nearest);
    const own = nearest === undefined ? undefined : byId.get(nearest)!.callFrame;
    add(
      byFunction,
      own ? `${placeOf(own.url)} ${own.functionName}` : '(below no function of the product)',
      ms,
    );
  });
  return { byFunction, byPlace };
}
