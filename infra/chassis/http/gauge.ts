import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/**
 * A gauge that is read when it is scraped, one value per label; without values while reading fails. A second
 * registration of the same name is ignored.
 */
export function labelledGauge(
  { registry }: Metrics,
  { name, help, label }: { name: string; help: string; label: string },
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

/** The same for a gauge without labels. */
export function plainGauge(
  { registry }: Metrics,
  { name, help }: { name: string; help: string },
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
        () => this.reset(),
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
