import { cachedFor, labelledGauge, type Metrics, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import type { OrderStore } from './store.ts';

const COUNTED_EVERY_MS = 15_000;

/** Metrics of orders: the longest current wait for each step, and the number of live listeners. */
export function showOrders(
  metrics: Metrics,
  { store, listeners, clock }: { store: OrderStore; listeners: () => number; clock: () => Date },
): void {
  plainGauge(metrics, { name: 'live_listeners', help: 'People who listen for changes of orders' }, async () =>
    listeners(),
  );
  labelledGauge(
    metrics,
    {
      name: 'orders_longest_wait_seconds',
      help: 'How long the paid order that waits longest has waited for its next step; 0 when none waits',
      label: 'step',
    },
    cachedFor(COUNTED_EVERY_MS, async () => {
      const seconds = (since: Date | null) => (since ? (clock().getTime() - since.getTime()) / 1000 : 0);
      const since = Object.entries(await store.longestWaiting());
      return Object.fromEntries(since.map(([step, at]) => [step, seconds(at)]));
    }),
  );
}
