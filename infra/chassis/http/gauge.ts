import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/**
 * A figure that is asked for when it is scraped, for each value of its label; left out while there is no answer.
 * A second one of the same name in a service is the first.
 */
export function askedGauge(
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

/** The same, of a figure that is one number. */
export function askedNumber(
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

/** An answer that is dear to have: asked for again only after a while, and after a failure. */
export function seldom<T>(everyMs: number, ask: () => Promise<T>): () => Promise<T> {
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
