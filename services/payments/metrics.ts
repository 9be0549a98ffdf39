import { askedGauge, seldom } from '@arboleda/chassis/http/gauge.ts';
import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { PaymentStore } from './store.ts';

const DAY_MS = 86_400_000;
const COUNTED_EVERY_MS = 10_000;

/** What became of the payments of the last day. */
export function showPayments(
  metrics: Metrics,
  store: Pick<PaymentStore, 'countByStatus'>,
  clock: () => Date,
): void {
  askedGauge(
    metrics,
    { name: 'payments', help: 'Payments begun in the last 24 hours, by their status', label: 'status' },
    seldom(COUNTED_EVERY_MS, () => store.countByStatus(new Date(clock().getTime() - DAY_MS))),
  );
}
