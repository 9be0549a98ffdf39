/** How often is looked, and how late a turn of the event loop may come. */
const TICK_MS = 50;
const MAX_LATE_MS = 100;
/**
 * So many late turns in a row are a queue that stands. One alone is a collection of garbage or a burst, which passes, and
 * one that is in time says that the queue is gone (as CoDel tells them apart: https://www.rfc-editor.org/rfc/rfc8289).
 */
const STANDING_TURNS = 5;

/** How many turns in a row were late, after one more. */
export const lateInARow = (before: number, lateMs: number): number => (lateMs > MAX_LATE_MS ? before + 1 : 0);

export const isStanding = (turns: number): boolean => turns >= STANDING_TURNS;

/** Whether the event loop of this process has more to do than it can. */
export interface LoopWatch {
  isLate(): boolean;
  close(): void;
}

export function openLoopWatch(): LoopWatch {
  let late = 0;
  let lastAt = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    late = lateInARow(late, now - lastAt - TICK_MS);
    lastAt = now;
  }, TICK_MS).unref();
  return { isLate: () => isStanding(late), close: () => clearInterval(ticking) };
}
