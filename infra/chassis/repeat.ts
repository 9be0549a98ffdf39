import type { Logger } from './log.ts';

/** Something done again and again, one at a time; a failure is logged and tried at the next turn. */
export interface Repeated {
  /** Resolves when the turn in hand is over; there is none after it. */
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
