/** Runs tasks with the same key one after another. */
type KeyedMutex = <T>(key: string, run: () => Promise<T>) => Promise<T>;

export function openKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const before = last.get(key);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return run();
    })();
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}

export type Limit = <T>(run: () => Promise<T>) => Promise<T>;

/** Runs at most `most` tasks at a time, in order of arrival. */
export function openLimit(most: number): Limit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
