import type { Metrics } from '@arboleda/chassis/http/metrics.ts';
import { Counter, Gauge, Histogram } from 'prom-client';

/** What an operator sees of photos. */
export interface PhotoMetrics {
  accepted: Counter<'duplicate'>;
  refused: Counter<'type'>;
  variantSeconds: Histogram;
}

export function openPhotoMetrics({ registry }: Metrics, countWaiting: () => Promise<number>): PhotoMetrics {
  const registers = [registry];
  new Gauge({
    name: 'photos_waiting',
    help: 'Photos that are kept but cannot be looked at yet',
    registers,
    async collect() {
      this.set(await countWaiting().catch(() => Number.NaN));
    },
  });
  return {
    accepted: new Counter({
      name: 'photos_accepted_total',
      help: 'Photos kept, and those that were there before',
      labelNames: ['duplicate'],
      registers,
    }),
    refused: new Counter({
      name: 'photos_refused_total',
      help: 'Files refused, by the problem',
      labelNames: ['type'],
      registers,
    }),
    variantSeconds: new Histogram({
      name: 'photo_variants_seconds',
      help: 'Time to make all sizes of one photo',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
  };
}
