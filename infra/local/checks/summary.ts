import type { Outcome } from './lanes.ts';

/** The part of jest's JSON results that is counted. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that could not be run at all. */
  numRuntimeErrorTestSuites: number;
  testResults: { name: string; status: string; assertionResults: TestReport[] }[];
}

interface TestReport {
  status: string;
  fullName: string;
  /** Why it was tried again. */
  retryReasons?: readonly string[];
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What a step adds: its tests, or one for a step that is no test run. A run without results is a failure. */
export function countsOf({ exitCode, step, skipped }: Outcome, report: JestReport | undefined): Counts {
  if (skipped) return { passed: 0, failed: 0, skipped: 1 };
  const failedStep = exitCode === 0 ? 0 : 1;
  if (!step.reportFile) return { passed: 1 - failedStep, failed: failedStep, skipped: 0 };
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return {
    passed: report.numPassedTests,
    // An exit code that no test explains, such as a teardown that failed, is not lost.
    failed: failed === 0 ? failedStep : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export const sum = (all: readonly Counts[]): Counts =>
  all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** The last line of a run, for people and for machines. */
export const totalLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

const STATUSES = { skipped: ['pending', 'todo'], failed: ['failed'] };

const REASON_CHARACTERS = 400;

/** What was said before the stack, in one line. */
const shortened = (why: string): string =>
  why
    .split(/\n\s+at /, 1)[0]!
    .replaceAll(/\s+/g, ' ')
    .slice(0, REASON_CHARACTERS);

/**
 * Names of the tests that were not run, or that failed; a file that could not be run at all is named itself. A test that failed
 * at both tries is named with why it did at the first: what it failed of later may come of that.
 */
export const namesOf = (report: JestReport, as: keyof typeof STATUSES): string[] =>
  report.testResults.flatMap(({ name, status, assertionResults }) => {
    const found = assertionResults.filter((test) => STATUSES[as].includes(test.status));
    if (as === 'failed' && status === 'failed' && found.length === 0) return [name];
    return found.map(({ fullName, retryReasons: [why] = [] }) =>
      why === undefined ? fullName : `${fullName} (at first: ${shortened(why)})`,
    );
  });

/** The tests that passed, but not at the first try; each with why. */
export const unsteadyOf = (report: JestReport): string[] =>
  report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ status, fullName, retryReasons: [why] = [] }) =>
      status === 'passed' && why !== undefined ? [`${fullName} (${shortened(why)})`] : [],
    );
