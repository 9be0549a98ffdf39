import type { Change } from '@arboleda/chassis/records.ts';
import type { Actor, Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import { workerMayMove } from '@arboleda/contracts/order.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import {
  ASSIGN_WAITING,
  type Assignment,
  everHad,
  holderOf,
  isStaffed,
  isWaiting,
  placeOf,
  plainCoordinates,
  SYSTEM,
} from './assignment.ts';
import { follow, type OwnStep } from './progress.ts';

/** Assigns a waiting order; the first decision wins. */
export function decideAssignment(
  current: Assignment | undefined,
  worker: Worker,
  at: string,
): Change<Assignment> | undefined {
  if (!current || !isWaiting(current)) return undefined;
  const previousWorker = current.progress.worker;
  if (previousWorker?.workerId === worker.workerId) return undefined;
  // Only a step with `previousWorker` takes an order from its worker.
  const taken = previousWorker && { previousWorker, by: SYSTEM };
  return {
    record: ownStep(current, { kind: 'assigned', worker, at, by: SYSTEM }),
    events: [{ type: 'order.assigned', data: { ...stepOf(current), worker, at, ...taken } }],
  };
}

interface AdminAssignment {
  worker: Worker;
  reason?: string | undefined;
  by: Actor;
  seenRevision: number;
}

/**
 * Assigns an order on behalf of an admin, whoever has it. The same worker again changes nothing.
 * @throws Problem `not-found`, `order-unpaid`, `order-withdrawn`, `order-completed`; `conflict` when it
 * changed meanwhile; `validation-failed` on `reason` when it is taken from a worker without one
 */
export function decideAdminAssignment(
  current: Assignment | undefined,
  { worker, reason, by, seenRevision }: AdminAssignment,
  at: string,
): Change<Assignment> | undefined {
  if (!current) throw new Problem('not-found');
  const { progress } = current;
  if (progress.status === 'unpaid') throw new Problem('order-unpaid');
  if (current.isWithdrawn) throw new Problem('order-withdrawn');
  if (progress.status === 'completed') throw new Problem('order-completed');
  const previousWorker = progress.worker;
  if (previousWorker?.workerId === worker.workerId) return undefined;
  if (current.statusRevision !== seenRevision) throw new Problem('conflict');
  if (previousWorker && !reason) throw fieldProblem('reason', 'required');
  const why = reason === undefined ? {} : { reason };
  return {
    record: ownStep(current, { kind: 'assigned', worker, at, by, ...why }),
    events: [
      {
        type: 'order.assigned',
        data: { ...stepOf(current), worker, at, by, ...why, ...(previousWorker && { previousWorker }) },
      },
    ],
    jobs: [ASSIGN_WAITING],
  };
}

export interface WorkerStep {
  status: 'planted' | 'completed';
  notes?: string | undefined;
  location?: string | undefined;
  coordinates?: (Coordinates & { accuracyMetres?: number | undefined }) | undefined;
}

/**
 * Moves a worker's own assignment forward. The same status again changes nothing.
 * @throws Problem `not-found` when it was never theirs, `assigned-to-another` or `conflict` when it was,
 * `transition-not-allowed` when it is not the next step
 */
export function decideWorkerStep(
  current: Assignment | undefined,
  workerId: string,
  step: WorkerStep,
  at: string,
): Change<Assignment> | undefined {
  if (!current || !everHad(current, workerId)) throw new Problem('not-found');
  if (!isStaffed(current)) throw new Problem('conflict');
  const { progress } = current;
  const { worker } = progress;
  if (worker.workerId !== workerId) throw new Problem('assigned-to-another');
  if (progress.status === step.status) return undefined;
  if (!workerMayMove(progress.status, step.status)) throw new Problem('transition-not-allowed');

  const { notes, coordinates = current.coordinates } = step;
  const location = step.location || placeOf(current);
  const by: Actor = { role: 'worker', id: workerId, name: worker.name };
  const moved = {
    ...ownStep(current, { kind: step.status, worker, at, by }),
    location,
    coordinates,
    notes: notes || current.notes,
  };
  const data = { ...stepOf(current), worker, at, ...(notes && { notes }) };
  return step.status === 'planted'
    ? {
        record: moved,
        events: [
          { type: 'order.planted', data: { ...data, location, coordinates: plainCoordinates(moved) } },
        ],
      }
    : { record: moved, events: [{ type: 'order.completed', data }], jobs: [ASSIGN_WAITING] };
}

/**
 * Reports a step of somebody who had the order before, so that an admin hears of trees that may stand. The step itself is
 * refused.
 */
export function decideLateStep(
  current: Assignment | undefined,
  workerId: string,
  step: WorkerStep,
  at: string,
): Change<Assignment> | undefined {
  const isTheirs = current?.progress.worker?.workerId === workerId;
  const worker = current && !isTheirs && holderOf(current, workerId);
  if (!worker) return undefined;
  const { orderId, id: assignmentId } = current;
  const { status, notes, location, coordinates } = step;
  const data = {
    orderId,
    assignmentId,
    worker: { workerId, name: worker.name },
    step: status,
    ...(notes && { notes }),
    ...(location && { location }),
    ...(coordinates && {
      coordinates: { latitude: coordinates.latitude, longitude: coordinates.longitude },
    }),
    at,
  };
  return { record: current, events: [{ type: 'order.late_step', data }] };
}

/**
 * Releases the assignment of an inactive worker so that it waits for another one, or undoes that when they
 * are back.
 * In orders it stays assigned until another worker has it.
 */
export function decideRelease(
  current: Assignment | undefined,
  workerId: string,
  worksAgain: boolean,
): Change<Assignment> | undefined {
  if (current?.progress.status !== 'assigned' || current.progress.worker?.workerId !== workerId)
    return undefined;
  if ((current.isReleased === true) !== worksAgain) return undefined;
  if (worksAgain) return { record: { ...current, isReleased: undefined } };
  return { record: { ...current, isReleased: true }, jobs: [ASSIGN_WAITING] };
}

function ownStep(current: Assignment, decided: Omit<OwnStep, 'revision' | 'isLive'>): Assignment {
  const revision = current.statusRevision + 1;
  const step: OwnStep = { ...decided, revision, isLive: true };
  return {
    ...current,
    progress: follow(current.progress, step),
    statusRevision: revision,
    steps: [...current.steps, step],
    isReleased: undefined,
  };
}

const stepOf = ({ id, orderId, statusRevision }: Assignment) => ({
  orderId,
  assignmentId: id,
  statusRevision,
});
