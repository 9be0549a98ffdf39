import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Actor, Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import type { Purchase } from '../growth/purchase.ts';
import type { Photo } from './photos.ts';
import type { Assigned, Completed, Planted, Progress } from './progress.ts';

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

/** An order's field work. There is one for each order: its id is made of the order's. */
export interface Assignment {
  _id: string;
  orderId: string;
  trees: number;
  region?: string | undefined;
  customer: { name: string; email: string };
  orderedAt: string;
  /** With the own steps that orders has not confirmed yet. */
  progress: Progress;
  /** What orders has told of, own steps aside. */
  confirmed: Progress;
  /** The order's status revision that the next step is decided on: own steps count before orders confirms them. */
  statusRevision: number;
  /** The newest revision that orders has told of. */
  confirmedRevision: number;
  steps: readonly OwnStep[];
  /** Who had it, as far as orders has confirmed it. */
  history: readonly Holding[];
  /** The money was given back before anything was planted. */
  isWithdrawn?: true | undefined;
  /** It is assigned, but to nobody, or to somebody who does not work any more: it waits for somebody who does. */
  isReleased?: true | undefined;
  /** Whom an admin took it from: it does not go back there by itself. */
  takenFromWorkerId?: string | undefined;
  location?: string | undefined;
  coordinates?: (Coordinates & { accuracyMetres?: number | undefined }) | undefined;
  /** An admin said where it is: that stays when its worker goes. */
  isPlacedByAdmin?: true | undefined;
  notes?: string | undefined;
  /** The order's versions that the copies of its customer and of its place are from. */
  copies: { sequence: number; placeSequence: number };
  photos: readonly Photo[];
  growth: readonly Purchase[];
  /** Grows whenever the list of visits has to follow: see growth/rows.ts. */
  visitsRevision: number;
  updatedAt: string;
}

/** An assignment that is somebody's. */
export type Staffed = Assignment & { progress: Assigned | Planted | Completed };

export const isStaffed = (assignment: Assignment): assignment is Staffed =>
  assignment.progress.worker !== undefined;

export const assignmentIdOf = (orderId: string): string => `assignment-${orderId}`;

/** Looks for workers for whatever waits; enqueued when there may be more to give or more who take. */
export const ASSIGN_WAITING: Job = { name: 'assign-waiting', key: 'assign-waiting', payload: {} };

/** Looks after the open work of somebody who left, or came back. */
export const REVIEW_WORKER = 'review-worker';
export const reviewOf = (workerId: string): Job => ({
  name: REVIEW_WORKER,
  key: workerId,
  payload: { workerId },
});

export const SYSTEM: Actor = { role: 'system' };

/** A transfer was announced: there is an order, and nobody plants it before its money is found. */
export function decideAnnouncement(
  current: Assignment | undefined,
  announced: EventData<'payment.submitted'>,
): Change<Assignment> | undefined {
  if (current) return undefined;
  const { orderId, trees, region, customer, submittedAt } = announced;
  return {
    document: newAssignment({ orderId, trees, region, customer, orderedAt: submittedAt }, 'unpaid', 0),
  };
}

/**
 * A new order waits for a worker.
 * @param sequence the order's version at that moment
 */
export function decideCreation(
  current: Assignment | undefined,
  order: EventData<'order.created'>,
  sequence: number,
): Change<Assignment> | undefined {
  if (current && current.progress.status !== 'unpaid') return undefined;
  const { orderId, trees, region, customer, createdAt: orderedAt, statusRevision } = order;
  const known = current ?? newAssignment({ orderId, trees, region, customer, orderedAt }, 'pending', 0);
  // What was edited since is newer than what was paid for.
  const isNews = sequence >= known.copies.sequence;
  const { name, email } = customer;
  return {
    document: {
      ...known,
      ...(isNews && { trees, customer: { name, email }, copies: { ...known.copies, sequence } }),
      ...{ region, orderedAt, statusRevision, confirmedRevision: statusRevision },
      ...{ progress: { status: 'pending' }, confirmed: { status: 'pending' } },
    },
    jobs: [ASSIGN_WAITING],
  };
}

function newAssignment(
  of: Pick<Assignment, 'orderId' | 'trees' | 'region' | 'customer' | 'orderedAt'>,
  status: 'unpaid' | 'pending',
  sequence: number,
): Assignment {
  const { name, email } = of.customer;
  return {
    ...of,
    _id: assignmentIdOf(of.orderId),
    customer: { name, email },
    progress: { status },
    confirmed: { status },
    statusRevision: 0,
    confirmedRevision: 0,
    steps: [],
    history: [],
    copies: { sequence, placeSequence: 0 },
    photos: [],
    growth: [],
    visitsRevision: 0,
    updatedAt: of.orderedAt,
  };
}

/** Where the trees go: as somebody said, else the worker's region. */
export function placeOf({ location, progress, region }: Assignment): string {
  const area = progress.worker?.region ?? region;
  return location ?? (area ? `${area}, Colombia` : 'Colombia');
}

export const plainCoordinates = ({ coordinates }: Assignment): Coordinates | undefined =>
  coordinates && { latitude: coordinates.latitude, longitude: coordinates.longitude };

/** Whether somebody has it or ever had it, if only until orders decided otherwise. */
export const everHad = (assignment: Assignment, workerId: string): boolean =>
  holderIds(assignment).includes(workerId);

const holderIds = ({ progress, history, steps }: Assignment): string[] =>
  [progress, ...history, ...steps].flatMap(({ worker }) => (worker ? [worker.workerId] : []));

/** @param now who has it, or goes there, now */
export const formerWorkerIds = (assignment: Assignment, now: string | undefined): string[] =>
  [...new Set(holderIds(assignment))].filter((workerId) => workerId !== now);

/** @throws Error when the order has not been paid, or its news has not arrived yet: to be tried again. */
export function arrived(current: Assignment | undefined, orderId: string): Assignment {
  if (!current || current.progress.status === 'unpaid')
    throw new Error(`no assignment of order ${orderId} yet`);
  return current;
}
