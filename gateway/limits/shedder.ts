import { openAdmission, overloaded } from '@arboleda/chassis/http/admission.ts';
import { counter, type Metrics, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import type { Route } from '../api/routes.ts';

/** Bounds the calls that wait for services: see docs/decisions/11. */
export interface Shedder {
  /** @throws Problem `overloaded` */
  check(route: Route): void;
  /** Counts a call until the returned function is called. */
  begin(route: Route): () => void;
}

export function openShedder(maxCalls: number, metrics: Metrics): Shedder {
  const admission = openAdmission(maxCalls);
  const shed = counter(metrics, {
    name: 'gateway_shed_total',
    help: 'Calls that were turned away because too many waited for an answer',
    labels: ['service', 'reason'],
  });
  plainGauge(
    metrics,
    { name: 'gateway_calls_in_flight', help: 'Calls that wait for an answer of their service' },
    async () => admission.calls(),
  );
  return {
    check({ isStream, isNeverShed, service }) {
      const overload = isStream || isNeverShed ? undefined : admission.overload(service);
      if (!overload) return;
      shed.inc({ service, reason: overload === 'part' ? 'calls of one service' : overload });
      throw overloaded(Math.random());
    },
    // An upload takes minutes, and its service works on it only at the end.
    begin: ({ isStream, isNeverShed, isUpload, service }) =>
      isStream || isNeverShed || isUpload ? () => undefined : admission.begin(service),
  };
}
