import { Gauge } from 'prom-client';
import type { Dependency } from '../ports/engine.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Metrics } from './metrics.ts';

/** Counting the dead may mean reading them. */
const DEAD_COUNTED_EVERY_MS = 60_000;

/** How many events wait for a group, and how many it could not handle. */
export function showGroup(metrics: Metrics, bus: EventBus, group: string): void {
  gauge(metrics, 'events_waiting', 'Events published for a group and not handled yet', { group }, () =>
    bus.waiting(group),
  );
  gauge(
    metrics,
    'events_dead_letters',
    'Events that a group could not handle',
    { group },
    seldom(DEAD_COUNTED_EVERY_MS, async () => (await bus.deadLetters(group)).length),
  );
}

/** What can be told of a dependency: how far behind its outbox is, how many jobs wait in it. */
export function showDependency(metrics: Metrics, dependency: Dependency): void {
  if (hasOutbox(dependency)) {
    gauge(
      metrics,
      'outbox_age_seconds',
      'Age of the oldest event or job not handed over yet',
      {},
      async () => {
        return (await dependency.outboxAgeMs()) / 1000;
      },
    );
  }
  if (isJobs(dependency)) {
    gauge(metrics, 'jobs_waiting', 'Jobs that are due and not begun', {}, () => dependency.waiting());
    const dead = seldom(DEAD_COUNTED_EVERY_MS, async () => (await dependency.deadJobs()).length);
    gauge(metrics, 'jobs_dead', 'Jobs that were given up', {}, dead);
  }
}

const hasOutbox = (it: Dependency): it is Dependency & { outboxAgeMs(): Promise<number> } =>
  'outboxAgeMs' in it;
const isJobs = (it: Dependency): it is Jobs => 'deadJobs' in it;

/** A figure that is asked for when it is scraped; left out while its engine does not answer. */
function gauge(
  { registry }: Metrics,
  name: string,
  help: string,
  labels: Record<string, string>,
  ask: () => Promise<number>,
): void {
  if (registry.getSingleMetric(name)) return;
  new Gauge({
    name,
    help,
    labelNames: Object.keys(labels),
    registers: [registry],
    async collect() {
      await ask().then(
        (value) => this.set(labels, value),
        () => this.reset(),
      );
    },
  });
}

function seldom(everyMs: number, ask: () => Promise<number>): () => Promise<number> {
  let last: { at: number; answer: Promise<number> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > everyMs) {
      last = { at: now, answer: ask() };
      last.answer.catch(() => (last = undefined));
    }
    return last.answer;
  };
}
