/** Asks for many at a time. @returns what was found, by key */
type Ask<T> = (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;

interface Question<T> {
  keys: Set<string>;
  found: PromiseWithResolvers<ReadonlyMap<string, T>>;
}

/** One that hangs holds up nobody but who asked it. */
const QUESTIONS_AT_ONCE = 2;

/**
 * One question for all that is asked while others are under way. Every question is begun after the calls that it
 * answers, so that nobody is told what was true before they asked.
 * @param maxKeys of one question
 */
export function batched<T>(ask: Ask<T>, maxKeys: number): (key: string) => Promise<T | undefined> {
  const waiting: Question<T>[] = [];
  let lines = 0;

  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await ask([...next.keys]).then(next.found.resolve, next.found.reject);
    }
    lines -= 1;
  };

  return async (key) => {
    let last = waiting.at(-1);
    if (!last || (last.keys.size >= maxKeys && !last.keys.has(key))) {
      last = { keys: new Set(), found: Promise.withResolvers() };
      waiting.push(last);
    }
    last.keys.add(key);
    if (lines < QUESTIONS_AT_ONCE) {
      lines += 1;
      // Once everybody whose call came in the same turn has asked.
      setImmediate(() => void work());
    }
    return (await last.found.promise).get(key);
  };
}
