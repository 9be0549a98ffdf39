import type { Worker } from '@arboleda/contracts/fields.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';

/**
 * Nobody's: `unpaid` was announced and not found on the account yet, `pending` waits for a worker, `withdrawn` waits for
 * nobody; the others were moved on by an admin without a worker.
 */
export interface Unstaffed {
  status: OrderStatus | 'unpaid' | 'withdrawn';
  worker?: undefined;
  assignedAt?: undefined;
  plantedAt?: string | undefined;
  completedAt?: string | undefined;
}
export interface Assigned {
  status: 'assigned';
  worker: Worker;
  assignedAt: string;
  plantedAt?: undefined;
  completedAt?: undefined;
}
export interface Planted {
  status: 'planted';
  worker: Worker;
  assignedAt: string;
  plantedAt: string;
  completedAt?: undefined;
}
export interface Completed {
  status: 'completed';
  worker: Worker;
  assignedAt: string;
  /** Not there when an admin completed the order at once. */
  plantedAt?: string | undefined;
  completedAt: string;
}
/** How far the field work has come; instants are ISO. */
export type Progress = Unstaffed | Assigned | Planted | Completed;

/** Progress in another status, keeping the worker and the dates that still hold. */
export function advance(before: Progress, to: OrderStatus, at: string): Progress {
  const { plantedAt } = before;
  if (to === 'pending') return { status: to };
  if (!before.worker) {
    if (to === 'assigned') return { status: to };
    return to === 'planted'
      ? { status: to, plantedAt: plantedAt ?? at }
      : { status: to, plantedAt, completedAt: at };
  }
  const { worker, assignedAt } = before;
  if (to === 'assigned') return { status: to, worker, assignedAt };
  if (to === 'planted') return { status: to, worker, assignedAt, plantedAt: plantedAt ?? at };
  return { status: to, worker, assignedAt, plantedAt, completedAt: at };
}

/** Progress with another worker; what is planted stays planted. */
export function handTo(before: Progress, worker: Worker, at: string): Progress {
  if (before.status === 'planted') {
    return { status: 'planted', worker, assignedAt: at, plantedAt: before.plantedAt ?? at };
  }
  return { status: 'assigned', worker, assignedAt: at };
}

/** When the trees came into the ground; undefined before they did. */
export function plantedSince({ status, plantedAt, completedAt }: Progress): string | undefined {
  return status === 'planted' || status === 'completed' ? (plantedAt ?? completedAt) : undefined;
}
