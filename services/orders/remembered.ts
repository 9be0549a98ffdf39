import type { Logger } from '@arboleda/chassis/log.ts';
import { setTimeout as after } from 'node:timers/promises';

/** Nobody waits longer for a newer answer while there is an older one. */
const PATIENCE_MS = 2_000;
/** Counting never takes more than one part in so many of a process's time at the store. */
const REST_PER_LOAD = 20;

/**
 * Remembers what `load` gave for `forMs`, so that a full landing page costs a query now and then and not one for each
 * visitor; the dearer loading is, the longer. Who comes later, but before `staleMs`, is handed what is there while a newer
 * one is loaded. A store that is slow makes figures older, not pages.
 * @throws what `load` throws before it ever gave anything; later failures are logged, and the last answer stays.
 */
export function remembered<T>(
  load: () => Promise<T>,
  options: { forMs: number; staleMs: number; clock: () => Date; logger: Pick<Logger, 'warn'> },
): () => Promise<T> {
  let kept: { value: T; atMs: number; untilMs: number } | undefined;
  let loading: Promise<T> | undefined;
  const nowMs = () => options.clock().getTime();

  const reload = async (): Promise<T> => {
    const startedMs = nowMs();
    try {
      const value = await load();
      const endedMs = nowMs();
      const restMs = Math.max(options.forMs, REST_PER_LOAD * (endedMs - startedMs));
      kept = { value, atMs: startedMs, untilMs: endedMs + restMs };
      return value;
    } catch (error) {
      if (!kept) throw error;
      options.logger.warn({ err: error }, 'figures could not be read; the last ones stay');
      kept = { ...kept, untilMs: nowMs() + options.forMs };
      return kept.value;
    } finally {
      loading = undefined;
    }
  };

  return async () => {
    const now = nowMs();
    if (kept && now < kept.untilMs) return kept.value;
    loading ??= reload();
    if (!kept) return loading;
    return now - kept.atMs < options.staleMs
      ? kept.value
      : Promise.race([loading, after(PATIENCE_MS, kept.value, { ref: false })]);
  };
}
