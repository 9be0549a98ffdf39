import { type Kill, recoveryTable, recoveryViolations } from './kills.ts';

const kill = (more: Partial<Kill> = {}): Kill => ({
  ...{ process: 'orders', how: 'random', at: 1_000, servedAt: 2_000, caughtUpAt: 3_500 },
  ...more,
});

test('recovery is told for all processes and for each', () => {
  expect(recoveryTable([kill(), kill({ process: 'media', caughtUpAt: 11_000 })]).rows).toEqual([
    ['a request is served', 2, '1.00 s', '1.00 s', '1.00 s', '1.00 s'],
    ['nothing from before waits', 2, '2.50 s', '10.00 s', '10.00 s', '10.00 s'],
    ['killed again before that', 0, '', '', '', ''],
    ['… of media', 1, '10.00 s', '10.00 s', '10.00 s', '10.00 s'],
    ['… of orders', 1, '2.50 s', '2.50 s', '2.50 s', '2.50 s'],
  ]);
});

test('a process that does not come back, or comes back late, is a violation; one that died again is not', () => {
  const { servedAt: _served, caughtUpAt: _caught, ...lost } = kill();
  expect(recoveryViolations([kill()])).toEqual([]);
  expect(recoveryViolations([lost])).toEqual(['orders did not recover from a kill (random)']);
  expect(recoveryViolations([{ ...lost, isSuperseded: true }])).toEqual([]);
  expect(recoveryViolations([kill({ caughtUpAt: 40_000 })])).toEqual([
    'recovery p99 is 39.00 s, more than 30.00 s',
  ]);
});
