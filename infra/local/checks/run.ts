import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, runLanes, type Step } from './lanes.ts';
import { countsOf, type JestReport, namesOf, sum, totalLine, unsteadyOf } from './summary.ts';

/** Lanes that run side by side, one set of them after another. @param reportDir for what the steps write */
export type Stages = (reportDir: string) => readonly (readonly (readonly Step[])[])[];

/** Runs everything, also after a failure, says how each step ended, and in the last line how many tests did what. */
export async function runSteps(stages: Stages): Promise<void> {
  const reportDir = await mkdtemp(join(tmpdir(), 'arboleda-checks-'));
  const outcomes: Outcome[] = [];
  for (const lanes of stages(reportDir)) outcomes.push(...(await runLanes(lanes, showOutcome)));
  const reports = await Promise.all(outcomes.map(reportOf));
  for (const as of ['skipped', 'failed'] as const)
    for (const name of reports.flatMap((report) => (report ? namesOf(report, as) : [])))
      say(`${as}: ${name}`);
  for (const name of reports.flatMap((report) => (report ? unsteadyOf(report) : [])))
    say(`passed only at the second try: ${name}`);
  const total = sum(outcomes.map((outcome, index) => countsOf(outcome, reports[index])));
  await rm(reportDir, { recursive: true });
  say('');
  say(totalLine(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

const reportOf = async ({ step }: Outcome): Promise<JestReport | undefined> =>
  step.reportFile && existsSync(step.reportFile)
    ? (JSON.parse(await readFile(step.reportFile, 'utf8')) as JestReport)
    : undefined;

function showOutcome({ step, exitCode, seconds, output, skipped }: Outcome): void {
  if (skipped) return say(`skip  ${step.name.padEnd(24)} ${skipped}`);
  say(`${exitCode === 0 ? 'ok  ' : 'FAIL'}  ${step.name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s`);
  if (exitCode !== 0) say(`\n${failuresOf(output)}\n`);
}

/** What failed is to be seen at once: not the files that passed, nor jest's results as one line of JSON. */
const failuresOf = (output: string) =>
  output
    .split('\n')
    .filter((line) => !/^(PASS |\{"numFailedTestSuites")/.test(line))
    .join('\n')
    .trim();
