/** Callers who want to know the same. */
export interface Sharing<Caller, Answer> {
  /** Has the caller asked for at once, or answered with what another is told that is being asked for. */
  join(key: string, caller: Caller): void;
  /** What became of a call. @param answer undefined when it is none for others */
  told(key: string, caller: Caller, answer: Answer | undefined): void;
}

interface Line<Caller> {
  asked: Set<Caller>;
  waiting: Caller[];
  /** When another one is asked for though nothing was told. */
  turn: NodeJS.Timeout | undefined;
}

/** Who comes while the same is being asked for waits for that answer: see docs/decisions/0032 and 0035. */
export function openSharing<Caller extends object, Answer>(parts: {
  /** A call that takes longer than this may hang: one of those who wait is asked for as well. */
  hangsAfterMs: number;
  /** Makes the caller's call; `told` is to hear of it, whatever becomes of it. */
  ask(caller: Caller): void;
  /** Answers a caller what another was told. @returns false when that does not answer it: it is asked for alone then. */
  answer(caller: Caller, answer: Answer): boolean;
  hasLeft(caller: Caller): boolean;
}): Sharing<Caller, Answer> {
  const lines = new Map<string, Line<Caller>>();

  const ask = (line: Line<Caller>, caller: Caller) => {
    line.asked.add(caller);
    parts.ask(caller);
  };
  const waitOn = (line: Line<Caller>) => {
    line.turn ??= setTimeout(askNext, parts.hangsAfterMs, line);
  };
  const askNext = (line: Line<Caller>) => {
    line.turn = undefined;
    line.waiting = line.waiting.filter((caller) => !parts.hasLeft(caller));
    const next = line.waiting.shift();
    if (line.waiting.length > 0) waitOn(line);
    if (next) ask(line, next);
  };

  return {
    join(key, caller) {
      const line = lines.get(key);
      if (line) {
        line.waiting.push(caller);
        return waitOn(line);
      }
      const begun: Line<Caller> = { asked: new Set(), waiting: [], turn: undefined };
      lines.set(key, begun);
      ask(begun, caller);
    },
    told(key, caller, answer) {
      const line = lines.get(key);
      if (!line?.asked.delete(caller)) return;
      clearTimeout(line.turn);
      line.turn = undefined;
      if (line.asked.size === 0) lines.delete(key);
      for (const other of line.waiting.splice(0)) {
        if (answer !== undefined && parts.answer(other, answer)) continue;
        if (!parts.hasLeft(other)) parts.ask(other);
      }
    },
  };
}
