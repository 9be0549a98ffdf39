import type { Actor, Worker } from '@arboleda/contracts/fields.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';

/**
 * Nobody's: `unpaid` was announced and not found on the account yet, `pending` waits for a worker, `withdrawn` waits for
 * nobody; the others were moved on by an admin without a worker.
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
  /** Not there when an admin completed the order at once. */
  plantedAt?: string | undefined;
  completedAt: string;
}
/** How far the field work has come; instants are ISO. */
export type Progress = Unstaffed | Assigned | Planted | Completed;

/** A step that was decided here and that orders has not confirmed yet. */
export interface OwnStep {
  /** The order's revision when it counts. */
  revision: number;
  kind: 'assigned' | 'planted' | 'completed';
  worker: Worker;
  at: string;
  by: Actor;
  reason?: string | undefined;
  /** false: what it was decided on was lost; it still counts when orders takes it. */
  isLive: boolean;
}

/** From `at` on somebody has the order, or nobody any more. */
export interface Holding {
  at: string;
  worker?: Worker | undefined;
  by: Actor;
  reason?: string | undefined;
}

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
function handTo(before: Progress, worker: Worker, at: string): Progress {
  if (before.status === 'planted') {
    return { status: 'planted', worker, assignedAt: at, plantedAt: before.plantedAt ?? at };
  }
  return { status: 'assigned', worker, assignedAt: at };
}

/** What a step makes of what was before it. Who plants or completes it has it from then on, as for orders. */
export function follow(before: Progress, { kind, worker, at }: OwnStep): Progress {
  if (kind === 'assigned') return handTo(before, worker, at);
  const isTheirs = before.worker?.workerId === worker.workerId;
  return advance(isTheirs ? before : handTo(before, worker, at), kind, at);
}

/** When the trees came into the ground; undefined before they did. */
export function plantedSince({ status, plantedAt, completedAt }: Progress): string | undefined {
  return status === 'planted' || status === 'completed' ? (plantedAt ?? completedAt) : undefined;
}

/** What orders has confirmed: how far it is, and who had it, oldest first. */
interface Confirmed {
  confirmed: Progress;
  history: readonly Holding[];
}

/** Who had it and who has it, oldest first. */
export const holdingsOf = (assignment: Confirmed & { steps: readonly OwnStep[] }): Holding[] =>
  holdingsAfter(
    assignment,
    assignment.steps.filter((step) => step.isLive),
  );

/** The confirmed history, and what these own steps add to it. */
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

/** Whether a decision gave it to somebody else, or to nobody. */
export function heldFrom(
  before: Progress,
  { worker }: Progress,
  decision: Omit<Holding, 'worker'>,
): Holding[] {
  if (worker?.workerId === before.worker?.workerId) return [];
  const { at, by, reason } = decision;
  return [{ at, by, ...(worker && { worker }), ...(reason && { reason }) }];
}
