import { subscribe } from 'node:diagnostics_channel';

/**
 * Loaded by --import before a service's own code: dies, as kill −9 does, where it was told to. Nothing of this is in
 * the product, which only says where it is (infra/chassis/crash-point.ts).
 */
export interface Order {
  point: string | undefined;
  /** How often it may still be passed before. */
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
