import { expect, test } from '@jest/globals';
import { openMetrics, plainGauge } from './metrics.ts';

test('a gauge has no value while it cannot be read', async () => {
  const metrics = openMetrics('media');
  let isDown = true;
  plainGauge(metrics, { name: 'jobs_waiting', help: 'Jobs' }, async () => {
    if (isDown) throw new Error('no database');
    return 7;
  });
  const shown = async () =>
    (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('jobs_waiting'));
  expect(await shown()).toEqual([]);
  isDown = false;
  expect(await shown()).toEqual(['jobs_waiting{service="media"} 7']);
  isDown = true;
  expect(await shown()).toEqual([]);
});
