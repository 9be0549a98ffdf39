/** Callers who want to know the same. */
export interface Sharing<Caller, Answer> {
  /** Has the caller asked for at once, or together with others who come while one is asked for. */
  join(key: string, caller: Caller): void;
  /** What became of a call. @param answer undefined when it is none that could hold for another caller */
  told(key: string, caller: Caller, answer: Answer | undefined): void;
}

interface Line<Caller> {
  /** Those who are asked for, with whom they are asked for as well. */
  asked: Map<Caller, readonly Caller[]>;
  waiting: Caller[];
  /** When those who wait are asked for though nothing was told. */
  turn: NodeJS.Timeout | undefined;
}

/**
 * One call for all who come while another is under way. It is begun after theirs have come, so that nobody is told what was true
 * before they asked; see docs/decisions/0032.
 */
export function openSharing<Caller extends object, Answer>(parts: {
  /** A call that takes longer than this may hang: those who have come since then do not wait for it. */
  hangsAfterMs: number;
  /** Makes the caller's call; `told` is to hear of it, whatever becomes of it. */
  ask(caller: Caller): void;
  /** Answers a caller what another was told. @returns false when that does not answer it: it is asked for alone then. */
  answer(caller: Caller, answer: Answer): boolean;
  hasLeft(caller: Caller): boolean;
}): Sharing<Caller, Answer> {
  const lines = new Map<string, Line<Caller>>();

  const ask = (line: Line<Caller>) => {
    clearTimeout(line.turn);
    line.turn = undefined;
    const [first, ...others] = line.waiting.splice(0).filter((caller) => !parts.hasLeft(caller));
    if (!first) return;
    line.asked.set(first, others);
    parts.ask(first);
  };

  return {
    join(key, caller) {
      const line: Line<Caller> = lines.get(key) ?? { asked: new Map(), waiting: [], turn: undefined };
      lines.set(key, line);
      line.waiting.push(caller);
      if (line.asked.size === 0) ask(line);
      else line.turn ??= setTimeout(ask, parts.hangsAfterMs, line);
    },
    told(key, caller, answer) {
      const line = lines.get(key);
      const others = line?.asked.get(caller);
      if (!line || !others) return;
      line.asked.delete(caller);
      ask(line);
      if (line.asked.size === 0) lines.delete(key);
      for (const other of others) {
        if (answer === undefined || !parts.answer(other, answer)) parts.ask(other);
      }
    },
  };
}
