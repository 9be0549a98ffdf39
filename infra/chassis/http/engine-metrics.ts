import type { Dependency } from '../ports/engine.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Jobs } from '../ports/jobs.ts';
import { labelledGauge, plainGauge, cachedFor } from './gauge.ts';
import type { Metrics } from './metrics.ts';

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

/** Metrics of a dependency: age of its outbox, jobs waiting, dead jobs. */
export function exposeDependencyMetrics(metrics: Metrics, dependency: Dependency): void {
  if (hasOutbox(dependency)) {
    plainGauge(
      metrics,
      { name: 'outbox_age_seconds', help: 'Age of the oldest event or job not handed over yet' },
      async () => (await dependency.outboxAgeMs()) / 1000,
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
const isJobs = (it: Dependency): it is Jobs => 'deadJobs' in it;
