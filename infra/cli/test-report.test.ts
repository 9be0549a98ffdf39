import { describe, expect, test } from '@jest/globals';
import { countsOf, failedFilesIn, failuresIn, type JestReport, totalLine } from './test-report.ts';

const report = (counts: Partial<JestReport>): JestReport => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  ...counts,
});

describe('a step counts', () => {
  test('as one when it is not a test run', () => {
    expect(countsOf(0, false, undefined)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countsOf(2, false, undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('as its tests when it is a test run', () => {
    const counted = countsOf(1, true, report({ numPassedTests: 8, numFailedTests: 2, numPendingTests: 1 }));
    expect(counted).toEqual({ passed: 8, failed: 2, skipped: 1 });
  });

  test('a file that could not run as a failure', () => {
    const counted = countsOf(1, true, report({ numPassedTests: 8, numRuntimeErrorTestSuites: 1 }));
    expect(counted.failed).toBe(1);
  });

  test('as failed when a run fails without a failed test', () => {
    expect(countsOf(1, true, report({ numPassedTests: 8 })).failed).toBe(1);
    expect(countsOf(0, true, undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countsOf(null, false, undefined).failed).toBe(1);
  });
});

test('the last line has the counts of all steps', () => {
  expect(totalLine({ passed: 41, failed: 2, skipped: 3 })).toBe('41 passed, 2 failed, 3 skipped');
});

test('a failed step shows its failures without the passed files', () => {
  expect(failuresIn('PASS unit a.test.ts\nFAIL unit b.test.ts\n{"numFailedTestSuites":1}\n')).toBe(
    'FAIL unit b.test.ts',
  );
});

test('a failed file is one line', () => {
  expect(
    failedFilesIn('PASS unit a.test.ts\nFAIL unit b.test.ts (3 s)\n  ● it\n\n    FAIL inside\n'),
  ).toEqual(['FAIL unit b.test.ts (3 s)']);
});
