import type { Actor, Worker } from '@arboleda/contracts/fields.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';

/**
 * Without a worker. `unpaid`: a submitted transfer; `pending`: waits for a worker; `withdrawn`: refunded, or its donor withdraws; the
 * others were set by an admin without a worker.
 */
interface Unstaffed {
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
  /** Absent when an admin completed the order directly. */
  plantedAt?: string | undefined;
  completedAt: string;
}
/** Progress of the field work; instants are ISO. */
export type Progress = Unstaffed | Assigned | Planted | Completed;

/** A step decided here that orders has not confirmed yet. */
export interface OwnStep {
  /** The order's revision when the step is applied. */
  revision: number;
  kind: 'assigned' | 'planted' | 'completed';
  worker: Worker;
  at: string;
  by: Actor;
  reason?: string | undefined;
  /** False when the step it was based on lost; it still counts if orders accepts it. */
  isLive: boolean;
}

/** The worker from `at` on, or none. */
export interface Holding {
  at: string;
  worker?: Worker | undefined;
  by: Actor;
  reason?: string | undefined;
}

/** Progress in another status; keeps the worker and the dates that still apply. */
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

/** Progress with another worker; planted trees stay planted. */
function handTo(before: Progress, worker: Worker, at: string): Progress {
  if (before.status === 'planted') {
    return { status: 'planted', worker, assignedAt: at, plantedAt: before.plantedAt ?? at };
  }
  return { status: 'assigned', worker, assignedAt: at };
}

/** Progress after a step. Whoever plants or completes becomes the worker, as in orders. */
export function follow(before: Progress, { kind, worker, at }: OwnStep): Progress {
  if (kind === 'assigned') return handTo(before, worker, at);
  const isTheirs = before.worker?.workerId === worker.workerId;
  return advance(isTheirs ? before : handTo(before, worker, at), kind, at);
}

/** Time of planting; undefined before it. */
export function plantedSince({ status, plantedAt, completedAt }: Progress): string | undefined {
  return status === 'planted' || status === 'completed' ? (plantedAt ?? completedAt) : undefined;
}

/** Progress and former workers as confirmed by orders, oldest first. */
interface Confirmed {
  confirmed: Progress;
  history: readonly Holding[];
}

/** All workers so far, oldest first. */
export const holdingsOf = (assignment: Confirmed & { steps: readonly OwnStep[] }): Holding[] =>
  holdingsAfter(
    assignment,
    assignment.steps.filter((step) => step.isLive),
  );

/** The confirmed history, extended by these own steps. */
export function holdingsAfter({ confirmed, history }: Confirmed, steps: readonly OwnStep[]): Holding[] {
  const holdings = [...history];
  let before = confirmed;
  for (const step of steps) {
    const after = follow(before, step);
    holdings.push(...heldFrom(before, after, step));
    before = after;
  }
  return holdings;
}

export function heldFrom(
  before: Progress,
  { worker }: Progress,
  decision: Omit<Holding, 'worker'>,
): Holding[] {
  if (worker?.workerId === before.worker?.workerId) return [];
  const { at, by, reason } = decision;
  return [{ at, by, ...(worker && { worker }), ...(reason && { reason }) }];
}
