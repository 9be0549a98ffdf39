/** Who is waited for goes first in a process that has more to do than it can: see docs/decisions/0036-who-is-waited-for-first.md */
export interface Courtesy {
  /** Somebody waits for what begins now, until the function it gives is called. */
  begin(): () => void;
  /**
   * For what nobody waits for. Resolves when nobody is waited for in this process, one after another, and `MOST_MS` after `sinceMs`
   * (of `performance.now()`) at the latest.
   */
  afterOthers(sinceMs: number): Promise<void>;
  /** From now on nothing waits. */
  close(): void;
}

/** Nobody misses a mail of seconds ago; what waits any longer would only be late. */
const MOST_MS = 5_000;

export function openCourtesy(mostMs = MOST_MS): Courtesy {
  const waiting = new Set<() => void>();
  let begun = 0;
  let isClosed = false;
  let looking: NodeJS.Immediate | undefined;

  /** After what has come meanwhile: that may be somebody. */
  const lookLater = () => {
    if (waiting.size > 0 && begun === 0) looking ??= setImmediate(look);
  };
  const look = () => {
    looking = undefined;
    if (begun > 0) return;
    const [first] = waiting;
    first?.();
    lookLater();
  };

  return {
    begin() {
      begun++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        begun--;
        lookLater();
      };
    },
    async afterOthers(sinceMs) {
      const leftMs = sinceMs + mostMs - performance.now();
      if (isClosed || leftMs <= 0 || (begun === 0 && waiting.size === 0)) return;
      await new Promise<void>((resolve) => {
        const go = () => {
          clearTimeout(latest);
          waiting.delete(go);
          resolve();
        };
        const latest = setTimeout(go, leftMs);
        waiting.add(go);
        lookLater();
      });
    },
    close() {
      isClosed = true;
      for (const go of [...waiting]) go();
    },
  };
}
