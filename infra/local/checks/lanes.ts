import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * No step takes this long: one that does hangs, and a hanging check tells nothing. The longest, docker compose, has taken 19
 * minutes on a slow machine.
 */
const STEP_WITHIN_MS = 30 * 60_000;

export const ROOT = join(import.meta.dirname, '..', '..', '..');

/** One thing that is checked. A step without a report counts as one test. */
export interface Step {
  name: string;
  command: readonly string[];
  /** Where jest writes its results. */
  reportFile?: string;
  /** Why it cannot be run here; it is counted as skipped. */
  skip?: string;
  /** A line beginning so says that the step found it could not be run here. */
  skippedWhen?: string;
}

export interface Outcome {
  step: Step;
  exitCode: number;
  output: string;
  seconds: number;
  /** Why it was not run. */
  skipped?: string | undefined;
}

/** Runs lanes side by side, the steps of a lane one after the other: all of them, also after a failure. */
export async function runLanes(
  lanes: readonly (readonly Step[])[],
  onDone: (outcome: Outcome) => void,
): Promise<Outcome[]> {
  const outcomes = await Promise.all(
    lanes.map(async (steps) => {
      const done: Outcome[] = [];
      for (const step of steps) {
        const outcome = await run(step);
        onDone(outcome);
        done.push(outcome);
      }
      return done;
    }),
  );
  return outcomes.flat();
}

async function run(step: Step): Promise<Outcome> {
  if (step.skip) return { step, exitCode: 0, output: '', seconds: 0, skipped: step.skip };
  const startedAt = performance.now();
  const child = spawn(process.execPath, step.command, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: '0', COLORS: 'false' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.once('SIGTERM', forward).once('SIGINT', forward);
  const hanging = setTimeout(() => {
    output += `\nstill running after ${STEP_WITHIN_MS / 60_000} minutes`;
    child.kill('SIGKILL');
  }, STEP_WITHIN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(hanging);
  process.off('SIGTERM', forward).off('SIGINT', forward);
  const { skippedWhen } = step;
  const skipped = skippedWhen && output.split('\n').find((line) => line.startsWith(skippedWhen));
  return {
    ...{ step, exitCode: code ?? 1, output, seconds: (performance.now() - startedAt) / 1000 },
    skipped: code === 0 ? skipped || undefined : undefined,
  };
}
