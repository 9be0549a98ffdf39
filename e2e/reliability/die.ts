import { subscribe } from 'node:diagnostics_channel';

/**
 * Loaded by --import before a service's own code: kills the process at a crash point. The product only announces the points
 * (infra/chassis/crash-point.ts).
 */
export interface Order {
  point: string | undefined;
  /** Passes that are let through first. */
  passes: number;
}

let order: Order = { point: undefined, passes: 0 };
process.on('message', (message: Order) => (order = message));
// The parent has ended.
process.on('disconnect', () => process.exit(0));
process.channel?.unref();

subscribe('arboleda:crash-point', (name) => {
  if (name !== order.point || order.passes-- > 0) return;
  process.kill(process.pid, 'SIGKILL');
});
