import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Metrics of one service. Each has its own registry, so that several services share a process. */
export interface Metrics {
  registry: Registry;
  /** Metrics of the service and of the process, in Prometheus text format. */
  text(): Promise<string>;
  requestSeconds: Histogram<'route' | 'status'>;
  eventsHandled: Counter<'type' | 'outcome'>;
}

/** Process metrics, shared by all services: collecting them costs time once. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

export function openMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  const process = processRegistry();
  return {
    registry,
    text() {
      const all = Registry.merge([registry, process]);
      all.setDefaultLabels({ service });
      return all.metrics();
    },
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from a request to its answer',
      labelNames: ['route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    eventsHandled: new Counter({
      name: 'events_handled_total',
      help: 'Events taken from the bus, by what became of them',
      labelNames: ['type', 'outcome'],
      registers: [registry],
    }),
  };
}

/** A counter of the service. Labels must have few values and no personal data. */
export const counter = <Label extends string>(
  { registry }: Metrics,
  { labels, ...named }: { name: string; help: string; labels: readonly Label[] },
): Counter<Label> => new Counter({ ...named, labelNames: labels, registers: [registry] });
