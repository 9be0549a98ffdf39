import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openMetrics } from './http/metrics.ts';
import { daysBefore, inBatches, keepRetention } from './retention.ts';

test('batches follow each other until one is not full', async () => {
  const left = [3, 3, 1, 9];
  const asked: number[] = [];
  const clear = async (limit: number) => {
    asked.push(limit);
    return left.shift()!;
  };
  expect(await inBatches(clear, 3)).toBe(7);
  expect(asked).toEqual([3, 3, 3]);
});

test('what cannot be cleared is logged, and the rest is cleared and counted', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const metrics = openMetrics('test');
  await keepRetention({
    jobs: { every: (_name, _ms, run) => run() },
    metrics,
    logger,
    clearings: {
      stuck: async () => {
        throw new Error('away');
      },
      letters: async () => 2,
    },
  });
  expect(await metrics.registry.metrics()).toContain(
    'retention_cleared_total{what="letters",service="test"} 2',
  );
  expect(lines.filter(({ level }) => level === 50)).toEqual([expect.objectContaining({ what: 'stuck' })]);
});

test('days count backwards from now', () => {
  expect(daysBefore(new Date('2026-03-31T12:00:00Z'), 31)).toEqual(new Date('2026-02-28T12:00:00Z'));
});
