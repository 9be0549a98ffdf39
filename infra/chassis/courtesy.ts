/** Who is waited for goes first in a process that has more to do than it can: see docs/decisions/0036-who-is-waited-for-first.md */
export interface Courtesy {
  /** Somebody waits for what begins now, until the function it gives is called. */
  begin(): () => void;
  /**
   * Does what nobody waits for: when nobody is waited for in this process, a few at a time, and `MOST_MS` after `sinceMs` (of
   * `performance.now()`) at the latest.
   * @returns what `run` gives, or throws
   */
  afterOthers<T>(sinceMs: number, run: () => Promise<T>): Promise<T>;
  /** From now on nothing waits. */
  close(): void;
}

/** Nobody misses a mail of seconds ago; what waits any longer would only be late. */
const MOST_MS = 5_000;
/** An order's mail and its worker, so that neither waits for the other. More would hold up whoever calls meanwhile. */
const AT_ONCE = 2;
/** Whatever takes longer waits itself, for a mail server say, and holds up nobody. */
const HOLDS_MS = 20;

export function openCourtesy({ mostMs = MOST_MS, holdsMs = HOLDS_MS } = {}): Courtesy {
  const waiting = new Set<() => void>();
  let begun = 0;
  let held = 0;
  let isClosed = false;
  let looking: NodeJS.Immediate | undefined;

  const isFree = () => begun === 0 && held < AT_ONCE;
  /** After what has come meanwhile: that may be somebody. */
  const lookLater = () => {
    if (waiting.size > 0 && isFree()) looking ??= setImmediate(look);
  };
  const look = () => {
    looking = undefined;
    if (!isFree()) return;
    const [first] = waiting;
    first?.();
    lookLater();
  };

  const hold = () => {
    held++;
    const end = once(() => {
      clearTimeout(longEnough);
      held--;
      lookLater();
    });
    const longEnough = setTimeout(end, holdsMs);
    return end;
  };
  const turn = async (sinceMs: number): Promise<() => void> => {
    const leftMs = sinceMs + mostMs - performance.now();
    if (isClosed || leftMs <= 0 || (isFree() && waiting.size === 0)) return hold();
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(latest);
        waiting.delete(go);
        resolve(hold());
      };
      const latest = setTimeout(go, leftMs);
      waiting.add(go);
      lookLater();
    });
  };

  return {
    begin() {
      begun++;
      return once(() => {
        begun--;
        lookLater();
      });
    },
    async afterOthers(sinceMs, run) {
      const end = await turn(sinceMs);
      try {
        return await run();
      } finally {
        end();
      }
    },
    close() {
      isClosed = true;
      for (const go of [...waiting]) go();
    },
  };
}

function once(act: () => void): () => void {
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    act();
  };
}
