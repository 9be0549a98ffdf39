import { ConfigError } from './config.ts';
import { exitAfterFlush } from './leave.ts';
import { MigrationFault } from './migration-fault.ts';

/**
 * Runs a process: start, stop on SIGTERM or SIGINT, and print why it could not start.
 * @param start e.g. `() => startOrders(ordersConfig(process.env))`
 */
export async function run(start: () => Promise<{ url: string; close(): Promise<void> }>): Promise<void> {
  // Before the start there is nothing to stop.
  let stop: () => Promise<void> = async () => {};
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(
      signal,
      () =>
        void stop().then(
          () => exitAfterFlush(0),
          (error: unknown) => {
            report(error);
            return exitAfterFlush(1);
          },
        ),
    );
  }
  try {
    const running = await start();
    stop = () => running.close();
  } catch (error) {
    report(error);
    await exitAfterFlush(1);
  }
}

/** Errors that an operator can fix are printed as a message, all others with their stack. */
function report(error: unknown): void {
  const isSentence = error instanceof ConfigError || error instanceof MigrationFault;
  const text = isSentence ? error.message : ((error as Error)?.stack ?? String(error));
  process.stderr.write(`${text}\n`);
}
