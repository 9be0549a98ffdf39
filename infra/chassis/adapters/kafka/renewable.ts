/** Something opened at its first use, and opened anew at the next one after a use of it failed. */
export interface Renewable<T> {
  /** @throws what `run` or opening throws; an Error when it takes longer than `withinMs`, or after `close`. */
  use<Result>(withinMs: number, run: (it: T) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface Opened<T> {
  it: T;
  shut(): Promise<void>;
}

export function renewable<T>(open: () => Promise<Opened<T>>): Renewable<T> {
  let current: Promise<Opened<T>> | undefined;
  let closed = false;
  const drop = async () => {
    const last = current;
    current = undefined;
    await last?.then(({ shut }) => shut()).catch(() => undefined);
  };
  return {
    async use(withinMs, run) {
      if (closed) throw new Error('closed');
      const mine = (current ??= open());
      try {
        return await within(
          withinMs,
          mine.then(({ it }) => run(it)),
        );
      } catch (error) {
        if (current === mine) void drop();
        throw error;
      }
    },
    close() {
      closed = true;
      return drop();
    },
  };
}

/** @throws an Error when `work` is not over in time; it goes on unheard. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
