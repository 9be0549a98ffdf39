import { counter, type Metrics, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import type { MetricName } from '@arboleda/chassis/telemetry/names.ts';
import { type Counter, Histogram } from 'prom-client';
import type { PhotoStore } from './photos/store.ts';

export interface PhotoMetrics {
  accepted: Counter<'duplicate'>;
  refused: Counter<'type'>;
  flagged: Counter<'flag'>;
  decided: Counter<'decision'>;
  shown: Counter<'format'>;
  variantSeconds: Histogram;
  modernSeconds: Histogram;
}

export function openPhotoMetrics(metrics: Metrics, store: Pick<PhotoStore, 'count'>): PhotoMetrics {
  plainGauge(
    metrics,
    { name: 'photos_waiting', help: 'Photos that are kept but cannot be looked at yet' },
    () => store.count('jpeg'),
  );
  plainGauge(
    metrics,
    { name: 'photos_awaiting_modern', help: 'Photos that are shown as JPEG until WebP and AVIF are made' },
    () => store.count('modern'),
  );
  plainGauge(
    metrics,
    { name: 'photos_given_up', help: 'Photos whose pictures could not be made: dead letters' },
    () => store.count('givenUp'),
  );
  const seconds = (name: MetricName, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers: [metrics.registry] });
  return {
    accepted: counter(metrics, {
      name: 'photos_accepted_total',
      help: 'Photos kept, and those that were there before',
      labels: ['duplicate'],
    }),
    refused: counter(metrics, {
      name: 'photos_refused_total',
      help: 'Files refused, by the problem',
      labels: ['type'],
    }),
    flagged: counter(metrics, {
      name: 'photos_flagged_total',
      help: 'New photos that deserve an admin’s look, by what about them does',
      labels: ['flag'],
    }),
    decided: counter(metrics, {
      name: 'photos_decided_total',
      help: 'Photos that an admin hid or restored',
      labels: ['decision'],
    }),
    shown: counter(metrics, {
      name: 'photos_shown_total',
      help: 'Pictures that gateways asked for, by the format they were answered in',
      labels: ['format'],
    }),
    variantSeconds: seconds(
      'photo_variants_seconds',
      'Time to make all sizes of one photo',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ),
    modernSeconds: seconds(
      'photo_modern_seconds',
      'Time to make the WebP and AVIF of one photo, with the turns it waited for',
      [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    ),
  };
}
