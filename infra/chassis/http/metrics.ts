import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Dependency } from '../ports/engine.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { MetricName } from '../telemetry/names.ts';
import { droppedSpans } from '../telemetry/trace.ts';

/** The default of 10 ms wakes an idle process a hundred times a second, which was most of what it cost. */
const EVENT_LOOP_PRECISION_MS = 100;

/** Metrics of one service. Each has its own registry, so that several services share a process. */
export interface Metrics {
  registry: Registry;
  /** Metrics of the service and of the process, in Prometheus text format. */
  text(): Promise<string>;
  requestSeconds: Histogram<'route' | 'status'>;
  eventsHandled: Counter<'type' | 'outcome'>;
}

const named = (name: MetricName): MetricName => name;

/** Process metrics, shared by all services: collecting them costs time once. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  new Gauge({
    name: named('trace_spans_dropped'),
    help: 'Spans of this process that no collector took',
    registers: [ofProcess],
    collect() {
      this.set(droppedSpans());
    },
  });
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
      name: named('http_request_duration_seconds'),
      help: 'Time from a request to its answer',
      labelNames: ['route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    }),
    eventsHandled: new Counter({
      name: named('events_handled_total'),
      help: 'Events taken from the bus, by what became of them',
      labelNames: ['type', 'outcome'],
      registers: [registry],
    }),
  };
}

/** A counter of the service. Labels must have few values and no personal data. */
export const counter = <Label extends string>(
  { registry }: Metrics,
  { labels, ...rest }: { name: MetricName; help: string; labels: readonly Label[] },
): Counter<Label> => new Counter({ ...rest, labelNames: labels, registers: [registry] });

/**
 * A gauge that is read when it is scraped, one value per label; without values while reading fails. A second
 * registration of the same name is ignored.
 */
export function labelledGauge(
  { registry }: Metrics,
  { name, help, label }: { name: MetricName; help: string; label: string },
  ask: () => Promise<Record<string, number>>,
): void {
  if (registry.getSingleMetric(name)) return;
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await ask().catch(() => ({}));
      this.reset();
      for (const [value, count] of Object.entries(values)) this.set({ [label]: value }, count);
    },
  });
}

/** The same for a gauge without labels, which prom-client resets to 0. */
export function plainGauge(
  { registry }: Metrics,
  { name, help }: { name: MetricName; help: string },
  ask: () => Promise<number>,
): void {
  if (registry.getSingleMetric(name)) return;
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      await ask().then(
        (value) => this.set(value),
        () => this.remove(),
      );
    },
  });
}

/** Caches a costly answer for `everyMs`; failures are not cached. */
export function cachedFor<T>(everyMs: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > everyMs) {
      last = { at: now, answer: ask() };
      last.answer.catch(() => (last = undefined));
    }
    return last.answer;
  };
}

/** Counting dead letters may require reading them. */
const DEAD_COUNTED_EVERY_MS = 60_000;

/** Metrics of a consumer group: events waiting, and dead letters. */
export function exposeGroupMetrics(metrics: Metrics, bus: EventBus, group: string): void {
  labelledGauge(
    metrics,
    { name: 'events_waiting', help: 'Events published for a group and not handled yet', label: 'group' },
    async () => ({ [group]: await bus.waiting(group) }),
  );
  labelledGauge(
    metrics,
    { name: 'events_dead_letters', help: 'Events that a group could not handle', label: 'group' },
    cachedFor(DEAD_COUNTED_EVERY_MS, async () => ({ [group]: (await bus.deadLetters(group)).length })),
  );
}

/** Metrics of a dependency: ages of its outbox and of its last backup, jobs waiting, dead jobs. */
export function exposeDependencyMetrics(metrics: Metrics, dependency: Dependency): void {
  if (hasOutbox(dependency)) {
    plainGauge(
      metrics,
      { name: 'outbox_age_seconds', help: 'Age of the oldest event or job not handed over yet' },
      async () => (await dependency.outboxAgeMs()) / 1000,
    );
  }
  if (hasBackups(dependency)) {
    plainGauge(
      metrics,
      {
        name: 'backup_age_seconds',
        help: 'Age of the last backup of the database; of the database itself before the first',
      },
      async () => (await dependency.backupAgeMs()) / 1000,
    );
  }
  if (isJobs(dependency)) {
    plainGauge(metrics, { name: 'jobs_waiting', help: 'Jobs that are due and not begun' }, () =>
      dependency.waiting(),
    );
    plainGauge(
      metrics,
      { name: 'jobs_dead', help: 'Jobs that were given up' },
      cachedFor(DEAD_COUNTED_EVERY_MS, async () => (await dependency.deadJobs()).length),
    );
  }
}

const hasOutbox = (it: Dependency): it is Dependency & { outboxAgeMs(): Promise<number> } =>
  'outboxAgeMs' in it;
const hasBackups = (it: Dependency): it is Dependency & { backupAgeMs(): Promise<number> } =>
  'backupAgeMs' in it;
const isJobs = (it: Dependency): it is Jobs => 'deadJobs' in it;
