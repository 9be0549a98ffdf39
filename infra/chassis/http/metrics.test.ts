import { expect, test } from '@jest/globals';
import { counter, openMetrics } from './metrics.ts';

test('two services of one process each tell their own figures and those of the process, under their name', async () => {
  const [orders, media] = [openMetrics('orders'), openMetrics('media')];
  counter(orders, { name: 'orders_total', help: 'Orders', labels: [] }).inc();
  const [ofOrders, ofMedia] = [await orders.text(), await media.text()];
  expect(ofOrders).toContain('orders_total{service="orders"} 1');
  expect(ofMedia).not.toContain('orders_total');
  for (const [text, service] of [
    [ofOrders, 'orders'],
    [ofMedia, 'media'],
  ])
    for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
      expect(text).toMatch(new RegExp(`^${name}\\{service="${service}"\\} `, 'm'));
});
