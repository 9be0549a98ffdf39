/** The parts of jest's JSON results that are read. */
export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Files that could not run. */
  numRuntimeErrorTestSuites: number;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Counts of a step: its tests, or one if it is not a test run. A test run without results is a failure. */
export function countsOf(
  exitCode: number | null,
  isTestRun: boolean,
  report: JestReport | undefined,
): Counts {
  const failedStep = exitCode === 0 ? 0 : 1;
  if (!isTestRun) return { passed: 1 - failedStep, failed: failedStep, skipped: 0 };
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return {
    passed: report.numPassedTests,
    // A failing exit code counts even without a failed test, for example after a broken teardown.
    failed: failed === 0 ? failedStep : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The last line of a run, also for scripts. */
export const totalLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** "FAIL services/auth/test/login.test.ts (12.3 s)", as jest writes each when it ends. */
export const failedFilesIn = (output: string): string[] => output.match(/^FAIL \S+.*$/gm) ?? [];

/** Output of a failed step, without passed files and without jest's JSON. */
export const failuresIn = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !/^(PASS |\{"numFailedTestSuites")/.test(line))
    .join('\n')
    .trim();
