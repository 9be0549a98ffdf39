/**
 * "npm test" runs what needs only Node; "npm run test:full" runs everything. The steps of a group run two at a time,
 * all of them even after a failure. The last line counts the tests.
 */
import { removeLeftovers } from '@arboleda/chassis/testing/postgres.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { containersRun } from './compose.ts';
import {
  type Counts,
  countsOf,
  failedFilesIn,
  failuresIn,
  type JestReport,
  totalLine,
} from './test-report.ts';

/** A check. A step that is not a test run counts as one test. */
interface Step {
  name: string;
  command: readonly string[];
  /** File for jest's results. */
  reportFile?: string;
  /** Prefix of an output line that means the step cannot run here. */
  skippedWhen?: string;
}

/** A step that takes longer is considered hung. */
const STEP_WITHIN_MS = 45 * 60_000;
const KILL_AFTER_MS = 10_000;
const ROOT = join(import.meta.dirname, '..', '..');
const reports = mkdtempSync(join(tmpdir(), 'arboleda-test-'));
const bin = (path: string) => join('node_modules', path);

const types = (name: string, project: string): Step => ({
  name,
  // Two type checks run side by side; a second checker each would only repeat work.
  command: [bin('@typescript/native/bin/tsc'), '--noEmit', '--checkers', '1', '-p', project],
});

/** @param workers concurrent test files */
function jest(projects: readonly string[], workers: number): Step {
  const reportFile = join(reports, `${projects.join('-')}.json`);
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const options = ['--json', `--outputFile=${reportFile}`, `--maxWorkers=${workers}`, '--silent'];
  return {
    name: `tests: ${projects.join(', ')}`,
    command: [...flags, bin('jest/bin/jest.js'), '--selectProjects', ...projects, ...options],
    reportFile,
  };
}

const QUICK: Step[][] = [
  [
    types('types', '.'),
    types('types: web', 'web'),
    types('types: e2e', 'e2e'),
    { name: 'lint', command: [bin('oxlint/bin/oxlint')] },
    { name: 'format', command: [bin('oxfmt/bin/oxfmt'), '--check'] },
  ],
  // More workers than cores, because component tests mostly wait for PostgreSQL and retries.
  [jest(['unit', 'component', 'web', 'simulation', 'line'], 3)],
];

const ADDED: Step[][] = [
  [jest(['browser', 'api', 'security', 'processes'], 2)],
  [{ name: 'k8s manifests', command: ['infra/k8s/validate.ts'], skippedWhen: 'k8s: skipped' }],
];

/**
 * The adapter tests mostly wait for their engines, so others run beside them. The whole product in containers runs alone:
 * beside them, two cores have left its browser waiting for a minute.
 */
const WITH_CONTAINERS: Step[][] = [['adapters', 'engines', 'images'], ['compose']].map((group) =>
  group.map((one) => jest([one], 1)),
);

const isFull = process.argv.includes('full');
const running = new Set<ChildProcess>();
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void interrupt());
await main();

async function main(): Promise<void> {
  const added = process.argv.includes('--added');
  for (const steps of [...(added ? [] : QUICK), ...(isFull ? ADDED : [])]) await runGroup(steps);
  if (isFull && containersRun()) {
    for (const steps of WITH_CONTAINERS) await runGroup(steps);
  } else if (isFull) {
    say('skip  adapters on Kafka, MongoDB and MinIO, images and docker compose: no container engine answers');
    total.skipped += WITH_CONTAINERS.flat().length;
  }
  rmSync(reports, { recursive: true });
  say(`\n${totalLine(total)}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

/** Runs two steps at a time. */
async function runGroup(steps: readonly Step[]): Promise<void> {
  const waiting = [...steps];
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { passed, failed, skipped } = await runStep(step);
      total.passed += passed;
      total.failed += failed;
      total.skipped += skipped;
    }
  };
  await Promise.all([lane(), lane()]);
}

async function runStep(step: Step): Promise<Counts> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, step.command, {
    cwd: ROOT,
    // A process group, so that an interrupted run stops all processes of its steps.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      // Told at once; its reasons follow when the step ends.
      for (const line of failedFilesIn(text)) say(line);
    });
  }
  const hanging = setTimeout(() => {
    output += `\nstill running after ${STEP_WITHIN_MS / 60_000} minutes`;
    signalGroup(child, 'SIGKILL');
  }, STEP_WITHIN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(hanging);
  running.delete(child);
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`;
  const skipped = step.skippedWhen && output.split('\n').find((line) => line.startsWith(step.skippedWhen!));
  say(
    `${code !== 0 ? 'FAIL' : skipped ? 'skip' : 'ok  '}  ${step.name.padEnd(42)} ${seconds} ${skipped ?? ''}`,
  );
  if (code !== 0) say(failuresIn(output));
  if (skipped) return { passed: 0, failed: 0, skipped: 1 };
  return countsOf(code, step.reportFile !== undefined, readReport(step.reportFile));
}

function readReport(file: string | undefined): JestReport | undefined {
  try {
    return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as JestReport);
  } catch {
    // A run that broke off has written none; it counts as a failure.
    return undefined;
  }
}

/** Stops the processes of all steps, also servers that have left their group. */
async function interrupt(): Promise<void> {
  const ending = [...running];
  for (const child of ending) signalGroup(child, 'SIGTERM');
  const late = setTimeout(() => ending.forEach((child) => signalGroup(child, 'SIGKILL')), KILL_AFTER_MS);
  await Promise.all(ending.filter((child) => running.has(child)).map((child) => once(child, 'close')));
  clearTimeout(late);
  await removeLeftovers();
  say(`\ninterrupted in ${relative(process.cwd(), ROOT) || 'this folder'}`);
  process.exit(130);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal);
  } catch {
    // It has exited meanwhile.
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
