import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionError } from './away.ts';
import type { Logger } from './log.ts';
import type { Engine } from './ports/engine.ts';

/** Retries connections to engines that are unavailable at start. */
export interface ConnectRetry {
  /**
   * Opens a connection, and retries with growing delays while the engine is unavailable. @throws any other error at
   * once
   */
  open<T>(engine: Engine, open: () => Promise<T>): Promise<T>;
  /** Engines that are being retried. */
  waitingFor(): Engine[];
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/** For commands: an operator wants to hear at once that an engine is unavailable. */
export const failFast: ConnectRetry = { open: (_engine, open) => open(), waitingFor: () => [] };

export function openConnectRetry(logger: Logger): ConnectRetry {
  const waiting = new Map<Engine, number>();
  const count = (engine: Engine, by: number) => {
    const now = (waiting.get(engine) ?? 0) + by;
    if (now > 0) waiting.set(engine, now);
    else waiting.delete(engine);
  };
  return {
    waitingFor: () => [...waiting.keys()].sort(),
    async open(engine, open) {
      count(engine, 1);
      try {
        for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
          try {
            return await open();
          } catch (error) {
            if (!isConnectionError(error)) throw error;
            logger.warn({ err: error, engine, pauseMs }, `waiting for ${engine}`);
            await sleep(pauseMs);
          }
        }
      } finally {
        count(engine, -1);
      }
    },
  };
}
