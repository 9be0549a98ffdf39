import { Problem } from '@arboleda/contracts/problems.ts';
import type { LoopWatch } from './loop-watch.ts';

/** How busy a process is when one more call comes. */
export interface Load {
  /** Calls that wait for their answer. */
  calls: number;
  /** Those of them that go where the new one goes; absent where all go to the same. */
  callsOfPart?: number | undefined;
  /** Whether the event loop has been late for a while. */
  isLoopLate: boolean;
}

/** Too many calls in all, too many of one part, or an event loop that does not keep up. */
export type Overload = 'calls' | 'part' | 'loop';

/** One part that answers slowly leaves the other half to the others. */
const PART_SHARE = 1 / 2;
/** With fewer calls than this a late loop is not the callers' doing, and refusing them would not help it. */
const BUSY_SHARE = 1 / 8;

/** Why one more call is too much; undefined when it is not. */
export function overloadOf({ calls, callsOfPart, isLoopLate }: Load, maxCalls: number): Overload | undefined {
  if (calls >= maxCalls) return 'calls';
  if (callsOfPart !== undefined && callsOfPart >= maxCalls * PART_SHARE) return 'part';
  return isLoopLate && calls >= maxCalls * BUSY_SHARE ? 'loop' : undefined;
}

/** Whoever is refused comes back at another moment than the others. @param chance from 0 to 1 */
export const overloaded = (chance: number): Problem =>
  new Problem('overloaded', { retryAfterSeconds: 1 + Math.floor(chance * 5) });

/** Which calls a process takes: more than it can answer in time would only make all of them late. */
export interface Admission {
  /** Why a call to `part` is not taken; undefined when it is. */
  overload(part?: string): Overload | undefined;
  /** Counts a call until the function it gives is called. */
  begin(part?: string): () => void;
  calls(): number;
}

/** @param loop where calls are the process's main work */
export function openAdmission(maxCalls: number, loop?: LoopWatch): Admission {
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

/** Work that counts while it lasts. @throws Problem `overloaded` */
export async function admitted<T>(admission: Admission, work: () => Promise<T>): Promise<T> {
  if (admission.overload()) throw overloaded(Math.random());
  const end = admission.begin();
  try {
    return await work();
  } finally {
    end();
  }
}
