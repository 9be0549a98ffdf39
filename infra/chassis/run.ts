import { ConfigError } from './config.ts';
import { leave } from './leave.ts';

/**
 * The life of a process: start, stop on SIGTERM or SIGINT, and say in one line why it could not start.
 * @param start e.g. `() => startOrders(ordersConfig(process.env))`
 */
export async function run(start: () => Promise<{ url: string; close(): Promise<void> }>): Promise<void> {
  // What is not started has nothing in hand.
  let stop: () => Promise<void> = async () => {};
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(
      signal,
      () =>
        void stop().then(
          () => leave(0),
          (error: unknown) => {
            report(error);
            return leave(1);
          },
        ),
    );
  }
  try {
    const running = await start();
    stop = () => running.close();
  } catch (error) {
    report(error);
    await leave(1);
  }
}

/** A wrong variable is told in its own words; anything else with the place where it broke. */
function report(error: unknown): void {
  const text = error instanceof ConfigError ? error.message : ((error as Error)?.stack ?? String(error));
  process.stderr.write(`${text}\n`);
}
