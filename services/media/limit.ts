/** `soon` goes before whatever waits as `later`. */
export type Urgency = 'soon' | 'later';

export type Limiter = <T>(run: () => Promise<T>, urgency?: Urgency) => Promise<T>;

/** Lets `max` run at a time; the others wait their turn, first come first served within their urgency. */
export function limiter(max: number): Limiter {
  let running = 0;
  const waiting: Record<Urgency, (() => void)[]> = { soon: [], later: [] };
  return async (run, urgency = 'soon') => {
    if (running < max) running += 1;
    else await new Promise<void>((resolve) => waiting[urgency].push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.soon.shift() ?? waiting.later.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
