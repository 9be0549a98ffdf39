import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import { type OrderStatus, workerMayMove } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';

/** Nobody's: pending waits for a worker; the others were moved on by an admin without one. */
interface Unstaffed {
  status: OrderStatus;
  worker?: undefined;
}
interface Assigned {
  status: 'assigned';
  worker: Worker;
  assignedAt: string;
}
interface Planted {
  status: 'planted';
  worker: Worker;
  assignedAt: string;
  plantedAt: string;
}
interface Completed {
  status: 'completed';
  worker: Worker;
  assignedAt: string;
  /** Not there when an admin completed the order at once. */
  plantedAt?: string | undefined;
  completedAt: string;
}
export type Progress = Unstaffed | Assigned | Planted | Completed;

/** An order's field work. There is one for each order: its id is made of the order's. */
export interface Assignment {
  _id: string;
  orderId: string;
  trees: number;
  region?: string | undefined;
  customer: { name: string; email: string };
  orderedAt: string;
  progress: Progress;
  /** The order's status revision that the next step is decided on: own steps count before orders confirms them. */
  statusRevision: number;
  /** The newest revision that orders has told of. */
  confirmedRevision: number;
  /** Own steps that orders has not confirmed yet. */
  unconfirmed: readonly { revision: number; status: OrderStatus }[];
  takenFromWorkerId?: string | undefined;
  location?: string | undefined;
  coordinates?: Coordinates | undefined;
  notes?: string | undefined;
  photos: readonly { photoId: string; filename: string; uploadedAt: string }[];
}

/** An assignment that is somebody's. */
export type Staffed = Assignment & { progress: Assigned | Planted | Completed };

export const isStaffed = (assignment: Assignment): assignment is Staffed =>
  assignment.progress.worker !== undefined;

export const assignmentIdOf = (orderId: string): string => `assignment-${orderId}`;

/** Looks for workers for whatever waits; enqueued when there may be more to give or more who take. */
export const ASSIGN_WAITING: Job = { name: 'assign-waiting', key: 'assign-waiting', payload: {} };

/** A new order waits for a worker. */
export function decideCreation(
  current: Assignment | undefined,
  order: EventData<'order.created'>,
): Change<Assignment> | undefined {
  if (current) return undefined;
  const { orderId, trees, region, customer, createdAt, statusRevision } = order;
  return {
    document: {
      _id: assignmentIdOf(orderId),
      orderId,
      trees,
      region,
      customer: { name: customer.name, email: customer.email },
      orderedAt: createdAt,
      progress: { status: 'pending' },
      statusRevision,
      confirmedRevision: statusRevision,
      unconfirmed: [],
      photos: [],
    },
    jobs: [ASSIGN_WAITING],
  };
}

/** Gives a waiting order to a worker; somebody who came first keeps it. */
export function decideAssignment(
  current: Assignment | undefined,
  worker: Worker,
  at: string,
): Change<Assignment> | undefined {
  if (!current || current.progress.status !== 'pending') return undefined;
  return {
    document: ownStep(current, { status: 'assigned', worker, assignedAt: at }),
    events: [{ type: 'order.assigned', data: { ...stepOf(current), worker, at } }],
  };
}

export interface WorkerStep {
  status: 'planted' | 'completed';
  notes?: string | undefined;
  location?: string | undefined;
  coordinates?: Coordinates | undefined;
}

/**
 * A worker moves an own assignment forward. The same status again changes nothing.
 * @throws Problem `not-found` when it is not theirs, `transition-not-allowed` when it is not the next step.
 */
export function decideWorkerStep(
  current: Assignment | undefined,
  workerId: string,
  step: WorkerStep,
  at: string,
): Change<Assignment> | undefined {
  if (!current || !isStaffed(current) || current.progress.worker.workerId !== workerId) {
    throw new Problem('not-found');
  }
  const { progress } = current;
  if (progress.status === step.status) return undefined;
  if (!workerMayMove(progress.status, step.status)) throw new Problem('transition-not-allowed');

  const { notes, coordinates = current.coordinates } = step;
  const location = step.location || placeOf(current);
  const moved = {
    ...ownStep(current, advance(progress, step.status, at)),
    ...{ location, coordinates, notes: notes || current.notes },
  };
  const data = { ...stepOf(current), worker: progress.worker, at, ...(notes && { notes }) };
  return step.status === 'planted'
    ? { document: moved, events: [{ type: 'order.planted', data: { ...data, location, coordinates } }] }
    : { document: moved, events: [{ type: 'order.completed', data }], jobs: [ASSIGN_WAITING] };
}

/**
 * Takes over what orders decided, unless it only confirms an own step. An own step that lost against somebody
 * else's decision is forgotten: orders refuses it for its revision or its status.
 * @throws Error when the order has not arrived yet: to be tried again.
 */
export function decideConvergence(
  current: Assignment | undefined,
  change: EventData<'order.status_changed'>,
): Change<Assignment> | undefined {
  if (!current) throw notYet(change.orderId);
  const { statusRevision: revision, to, at } = change;
  if (revision <= current.confirmedRevision) return undefined;

  const own = current.unconfirmed.find((step) => step.revision === revision);
  if (own?.status === to) {
    const unconfirmed = current.unconfirmed.filter((step) => step.revision > revision);
    return { document: { ...current, confirmedRevision: revision, unconfirmed } };
  }
  const progress = advance(current.progress, to, at);
  const document = {
    ...current,
    progress,
    statusRevision: revision,
    confirmedRevision: revision,
    unconfirmed: [],
  };
  if (to === 'pending') return { document: { ...document, ...takenBack(current) }, jobs: [ASSIGN_WAITING] };
  return to === 'completed' ? { document, jobs: [ASSIGN_WAITING] } : { document };
}

/** @throws Error when the order has not arrived yet: to be tried again. */
export function decidePhoto(
  current: Assignment | undefined,
  uploaded: EventData<'photo.uploaded'>,
): Change<Assignment> | undefined {
  if (!current) throw notYet(uploaded.orderId);
  const { photoId, filename, uploadedAt } = uploaded;
  if (current.photos.some((photo) => photo.photoId === photoId)) return undefined;
  const photos = [...current.photos, { photoId, filename, uploadedAt }].sort(
    (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.photoId.localeCompare(b.photoId),
  );
  return { document: { ...current, photos } };
}

/** Where the trees go: as the worker said, else the worker's region. */
export const placeOf = (assignment: Staffed): string =>
  assignment.location ?? `${assignment.progress.worker.region}, Colombia`;

/** Progress in another status, keeping the worker and the dates that still hold. */
function advance(before: Progress, to: OrderStatus, at: string): Progress {
  if (to === 'pending' || !before.worker) return { status: to };
  const { worker, assignedAt } = before;
  const plantedAt = 'plantedAt' in before ? before.plantedAt : undefined;
  if (to === 'assigned') return { status: to, worker, assignedAt };
  if (to === 'planted') return { status: to, worker, assignedAt, plantedAt: plantedAt ?? at };
  return { status: to, worker, assignedAt, plantedAt, completedAt: at };
}

function ownStep(current: Assignment, progress: Progress): Assignment {
  const revision = current.statusRevision + 1;
  return {
    ...current,
    progress,
    statusRevision: revision,
    unconfirmed: [...current.unconfirmed, { revision, status: progress.status }],
  };
}

/** What the worker said goes with the worker. */
const takenBack = (current: Assignment): Partial<Assignment> => ({
  takenFromWorkerId: current.progress.worker?.workerId,
  location: undefined,
  coordinates: undefined,
  notes: undefined,
});

const stepOf = ({ _id, orderId, statusRevision }: Assignment) => ({
  orderId,
  assignmentId: _id,
  statusRevision,
});

const notYet = (orderId: string): Error => new Error(`no assignment of order ${orderId} yet`);
