/** Runs what belongs to one key one after another. */
export type Turns = <T>(key: string, run: () => Promise<T>) => Promise<T>;

export function openTurns(): Turns {
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
