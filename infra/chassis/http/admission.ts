import { Problem } from '@arboleda/contracts/problems.ts';

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
interface EventLoopMonitor {
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

/** Load of a process when one more request arrives. */
interface Load {
  /** Requests in progress. */
  calls: number;
  /** Requests in progress for the same part; absent when there are no parts. */
  callsOfPart?: number | undefined;
  isLoopLate: boolean;
}

/** Too many requests in all, too many for one part, or an event loop that lags. */
type Overload = 'calls' | 'part' | 'loop';

/** A slow part may take up at most half of the capacity. */
const PART_SHARE = 1 / 2;
/** Below this share of requests, they are not the cause of a lagging event loop, and rejecting them would not help. */
const BUSY_SHARE = 1 / 8;

/** @returns why one more request is too many; undefined when it is not */
export function overloadOf({ calls, callsOfPart, isLoopLate }: Load, maxCalls: number): Overload | undefined {
  if (calls >= maxCalls) return 'calls';
  if (callsOfPart !== undefined && callsOfPart >= maxCalls * PART_SHARE) return 'part';
  return isLoopLate && calls >= maxCalls * BUSY_SHARE ? 'loop' : undefined;
}

/** Spreads retries over time. @param chance from 0 to 1 */
export const overloaded = (chance: number): Problem =>
  new Problem('overloaded', { retryAfterSeconds: 1 + Math.floor(chance * 5) });

/** Load shedding: rejects requests that could not be answered in time. */
export interface Admission {
  /** @returns why a request for `part` is rejected; undefined when it is accepted */
  overload(part?: string): Overload | undefined;
  /** Counts a request until the returned function is called. */
  begin(part?: string): () => void;
  calls(): number;
}

/** @param loop only where requests are the process's main work */
export function openAdmission(maxCalls: number, loop?: EventLoopMonitor): Admission {
  const ofParts = new Map<string, number>();
  let calls = 0;
  const count = (part: string | undefined, change: 1 | -1) => {
    calls += change;
    if (part !== undefined) ofParts.set(part, (ofParts.get(part) ?? 0) + change);
  };
  return {
    overload: (part) =>
      overloadOf(
        {
          calls,
          callsOfPart: part === undefined ? undefined : (ofParts.get(part) ?? 0),
          isLoopLate: loop?.isLate() ?? false,
        },
        maxCalls,
      ),
    begin(part) {
      let isOver = false;
      count(part, 1);
      return () => {
        if (!isOver) count(part, -1);
        isOver = true;
      };
    },
    calls: () => calls,
  };
}

/** Counts `work` while it runs. @throws Problem `overloaded` */
export async function admitted<T>(admission: Admission, work: () => Promise<T>): Promise<T> {
  if (admission.overload()) throw overloaded(Math.random());
  const end = admission.begin();
  try {
    return await work();
  } finally {
    end();
  }
}
