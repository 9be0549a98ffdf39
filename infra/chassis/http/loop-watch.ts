/** Interval of the check, and the delay of a turn of the event loop that counts as late. */
const TICK_MS = 50;
const MAX_LATE_MS = 100;
/**
 * Late turns in a row that make a standing queue. A single one is a garbage collection or a burst (as in CoDel,
 * https://www.rfc-editor.org/rfc/rfc8289).
 */
const LAGGING_TURNS = 5;

/** @returns how many turns in a row were late, including this one */
export const countLateTurns = (before: number, lateMs: number): number =>
  lateMs > MAX_LATE_MS ? before + 1 : 0;

export const isLagging = (turns: number): boolean => turns >= LAGGING_TURNS;

/** Watches whether the event loop lags. */
export interface EventLoopMonitor {
  isLate(): boolean;
  close(): void;
}

export function openEventLoopMonitor(): EventLoopMonitor {
  let late = 0;
  let lastAt = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    late = countLateTurns(late, now - lastAt - TICK_MS);
    lastAt = now;
  }, TICK_MS).unref();
  return { isLate: () => isLagging(late), close: () => clearInterval(ticking) };
}
