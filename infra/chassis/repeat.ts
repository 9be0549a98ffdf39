import type { Logger } from './log.ts';

/** A task that runs repeatedly, one run at a time. A failure is logged, and the next run tries again. */
export interface Repeated {
  /** Resolves when the current run has ended; no other follows. */
  stop(): Promise<void>;
}

export function repeat(everyMs: number, run: () => Promise<void>, logger: Logger, what: string): Repeated {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  const take = () => {
    turn = run()
      .catch((error: unknown) => logger.warn({ err: error }, `${what} failed`))
      .then(() => {
        if (!stopped) timer = setTimeout(take, everyMs);
      });
  };
  take();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
