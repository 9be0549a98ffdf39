import { ConfigError } from './config.ts';

/**
 * The life of a process: start, stop on SIGTERM or SIGINT, and say in one line why it could not start.
 * @param start e.g. `() => startOrders(ordersConfig(process.env))`
 */
export async function run(start: () => Promise<{ url: string; close(): Promise<void> }>): Promise<void> {
  try {
    const running = await start();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(
        signal,
        () =>
          void running.close().then(
            () => process.exit(0),
            () => process.exit(1),
          ),
      );
    }
  } catch (error) {
    process.stderr.write(
      `${error instanceof ConfigError ? error.message : String((error as Error).stack ?? error)}\n`,
    );
    process.exit(1);
  }
}
