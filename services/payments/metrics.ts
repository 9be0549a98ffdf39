import { cachedFor, counter, labelledGauge, type Metrics } from '@arboleda/chassis/http/metrics.ts';
import type { PackagePurchase } from './photo-packages/purchase.ts';
import type { Refund } from './money/refund.ts';
import type { PaymentStore } from './cards/store.ts';

const DAY_MS = 86_400_000;
const COUNTED_EVERY_MS = 10_000;

/** Gauges for operators: payments of the last day by status, refunds, disputes and photo packages. */
export function paymentMetrics(
  metrics: Metrics,
  store: Pick<PaymentStore, 'countByStatus'>,
  clock: () => Date,
) {
  labelledGauge(
    metrics,
    { name: 'payments', help: 'Payments begun in the last 24 hours, by their status', label: 'status' },
    cachedFor(COUNTED_EVERY_MS, () => store.countByStatus(new Date(clock().getTime() - DAY_MS))),
  );
  const labels = ['status'] as const;
  const refunds = counter(metrics, {
    name: 'payments_refunds_total',
    help: 'Refunds that reached a status',
    labels,
  });
  const disputes = counter(metrics, {
    name: 'payments_disputes_total',
    help: 'Disputes that reached a status',
    labels,
  });
  const purchases = counter(metrics, {
    name: 'payments_package_purchases_total',
    help: 'Sales of photo packages that reached a status',
    labels,
  });
  return {
    refund: (status: Refund['status']) => refunds.inc({ status }),
    dispute: (status: string) => disputes.inc({ status }),
    purchase: (status: PackagePurchase['status']) => purchases.inc({ status }),
  };
}
