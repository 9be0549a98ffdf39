import type { Logger } from '@arboleda/chassis/log.ts';
import { setTimeout as after } from 'node:timers/promises';

/** How long a refresh delays a caller before the older answer is returned. */
const MAX_WAIT_MS = 2_000;
/** Loading takes at most one part in this many of a process's time. */
const REST_PER_LOAD = 20;

/**
 * Caches the result of `load` for `forMs`, longer when loading is slow. Between `forMs` and `staleMs` callers
 * get the cached value while a newer one loads, so a slow store makes figures older, not pages slower.
 * @throws errors of the first `load`; later ones are logged, and the last value stays
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
      : Promise.race([loading, after(MAX_WAIT_MS, kept.value, { ref: false })]);
  };
}
