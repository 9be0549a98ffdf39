import { describe, expect, test } from '@jest/globals';
import { isComplete, readArguments, table, USAGE } from './command.ts';

const now = new Date('2026-11-22T12:00:00Z');

describe('npm run reconcile', () => {
  test.each([
    ['7d', '2026-11-15T12:00:00.000Z'],
    ['12h', '2026-11-22T00:00:00.000Z'],
    ['90m', '2026-11-22T10:30:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T10:00:00Z', '2026-11-01T10:00:00.000Z'],
  ])('--since %s looks back to %s', (since, expected) => {
    expect(readArguments(['--since', since], now).toISOString()).toBe(expected);
  });

  test.each([
    [[]],
    [['7d']],
    [['--since', 'yesterday']],
    [['--since', '7']],
    [['--since', '2027-01-01']],
    [['--all']],
  ])('with %j says how it is used', (args) => {
    expect(() => readArguments(args, now)).toThrow(USAGE);
  });

  test('shows each list in a row, and why one could not be read', () => {
    const reports = [
      { list: 'refunds', lookedAt: 120, repaired: 1, notOurs: 0, failed: 0 },
      { list: 'disputes', lookedAt: 0, repaired: 0, notOurs: 0, failed: 0, fault: 'no permission' },
    ] as const;
    expect(table(reports)).toBe(
      [
        'list       looked at   repaired   not ours   failed',
        'refunds          120          1          0        0',
        'disputes           0          0          0        0',
        'disputes: no permission',
      ].join('\n'),
    );
    expect(isComplete(reports)).toBe(false);
    expect(isComplete(reports.slice(0, 1))).toBe(true);
  });
});
