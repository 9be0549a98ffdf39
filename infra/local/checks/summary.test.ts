import { describe, expect, test } from '@jest/globals';
import type { Outcome } from './lanes.ts';
import { countsOf, type JestReport, namesOf, sum, totalLine, unsteadyOf } from './summary.ts';

const outcome = (exitCode: number, reportFile?: string): Outcome => ({
  step: { name: 'a step', command: [], ...(reportFile && { reportFile }) },
  exitCode,
  output: '',
  seconds: 1,
});
const report = (counts: Partial<JestReport>): JestReport => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [],
  ...counts,
});

describe('a step counts', () => {
  test('as one when it is no test run', () => {
    expect(countsOf(outcome(0), undefined)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countsOf(outcome(2), undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('as its tests when it is one', () => {
    const counted = countsOf(
      outcome(1, 'r'),
      report({ numPassedTests: 8, numFailedTests: 2, numPendingTests: 1 }),
    );
    expect(counted).toEqual({ passed: 8, failed: 2, skipped: 1 });
  });

  test('a file that could not be run as a failure', () => {
    const counted = countsOf(outcome(1, 'r'), report({ numPassedTests: 8, numRuntimeErrorTestSuites: 1 }));
    expect(counted.failed).toBe(1);
  });

  test('as skipped when it cannot be run here', () => {
    expect(countsOf({ ...outcome(0, 'r'), skipped: 'no engine' }, undefined)).toEqual({
      passed: 0,
      failed: 0,
      skipped: 1,
    });
  });

  test('a run that ended badly without a failed test as a failure', () => {
    expect(countsOf(outcome(1, 'r'), report({ numPassedTests: 8 })).failed).toBe(1);
    expect(countsOf(outcome(0, 'r'), undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

test('the last line sums everything up', () => {
  const total = sum([
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 40, failed: 2, skipped: 3 },
  ]);
  expect(totalLine(total)).toBe('41 passed, 2 failed, 3 skipped');
});

test('what was not run and what failed is named', () => {
  const testResults = [
    {
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'works' },
        { status: 'pending', fullName: 'waits' },
        { status: 'failed', fullName: 'breaks' },
      ],
    },
    { name: 'cannot-be-read.test.ts', status: 'failed', assertionResults: [] },
  ];
  expect(namesOf(report({ testResults }), 'skipped')).toEqual(['waits']);
  expect(namesOf(report({ testResults }), 'failed')).toEqual(['breaks', 'cannot-be-read.test.ts']);
});

test('what needed a second try is named with its reason, among what failed when that one failed too', () => {
  const why = ['waited in vain\n\nfor the order\n    at a line'];
  const assertionResults = [
    { status: 'passed', fullName: 'works', retryReasons: [] },
    { status: 'passed', fullName: 'works at last', retryReasons: why },
    { status: 'failed', fullName: 'breaks', retryReasons: why },
  ];
  const found = report({ testResults: [{ name: 'a.test.ts', status: 'failed', assertionResults }] });
  expect(unsteadyOf(found)).toEqual(['works at last (waited in vain for the order)']);
  expect(namesOf(found, 'failed')).toEqual(['breaks (at first: waited in vain for the order)']);
});
