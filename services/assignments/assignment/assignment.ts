import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { Actor, Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Assigned, Completed, Holding, OwnStep, Planted, Progress } from './progress.ts';

/** The field work of an order. Each order has one; its id is derived from the order's. */
export interface Assignment {
  id: string;
  orderId: string;
  trees: number;
  region?: string | undefined;
  customer: { name: string; email: string };
  orderedAt: string;
  /** Includes own steps that orders has not confirmed yet. */
  progress: Progress;
  /** Confirmed by orders. */
  confirmed: Progress;
  /** Revision for the next step. Includes own steps that orders has not confirmed yet. */
  statusRevision: number;
  confirmedRevision: number;
  steps: readonly OwnStep[];
  /** Former workers, as confirmed by orders. */
  history: readonly Holding[];
  /** Refunded before anything was planted, or its donor withdraws. */
  isWithdrawn?: true | undefined;
  /** Assigned to nobody or to an inactive worker, so it waits for another one. */
  isReleased?: true | undefined;
  /** The worker an admin took it from; it is not assigned to them automatically again. */
  takenFromWorkerId?: string | undefined;
  location?: string | undefined;
  coordinates?: (Coordinates & { accuracyMetres?: number | undefined }) | undefined;
  notes?: string | undefined;
  /** Place and notes as an admin last set them. They are back when the order is taken from its worker. */
  setByAdmin: Partial<Pick<Assignment, 'location' | 'coordinates' | 'notes'>>;
  /** The order's versions from which the customer and the place were copied. */
  copies: { sequence: number; placeSequence: number };
  photos: readonly Photo[];
  growth: readonly Purchase[];
  /** Strictly increasing, even if the clocks of replicas differ. */
  updatedAt: string;
}

export interface Photo {
  photoId: string;
  filename: string;
  uploadedAt: string;
  /** The growth visit at which it was taken. */
  growthVisitId?: string | undefined;
  isHidden?: boolean | undefined;
  sequence?: number | undefined;
}

export interface Purchase {
  purchaseId: string;
  photoPackageType: PhotoPackageType;
  purchasedAt: string;
  /** Set when it was refunded: visits not made yet are cancelled. */
  stoppedAt?: string | undefined;
  /** Incremented when it stops or becomes active again. */
  revision: number;
  /** Start of the schedule: the later of planting and purchase; absent before the planting. */
  countedFrom?: string | undefined;
  visits: readonly Visit[];
}

/** A growth visit: a worker goes there and takes photos for one update. */
export interface Visit {
  visitId: string;
  /** Counts from 1. */
  number: number;
  /** Absent until the trees are planted. */
  dueAt?: string | undefined;
  doneAt?: string | undefined;
  doneBy?: Worker | undefined;
  /** Notices sent to the worker: the first one, then reminders. */
  notices: number;
  lastNoticeAt?: string | undefined;
  /** Makes the visit if the order's worker had left when it was due. */
  substitute?: Worker | undefined;
}

export type Staffed = Assignment & { progress: Assigned | Planted | Completed };

export const isStaffed = (assignment: Assignment): assignment is Staffed =>
  assignment.progress.worker !== undefined;

export const assignmentIdOf = (orderId: string): string => `assignment-${orderId}`;

/** Assigns waiting orders. Enqueued when there may be more orders or more capacity. */
export const ASSIGN_WAITING: Job = { name: 'assign-waiting', key: 'assign-waiting', payload: {} };

/** Releases or restores the open work of a worker who left or came back. */
export const REVIEW_WORKER = 'review-worker';
export const reviewOf = (workerId: string): Job => ({
  name: REVIEW_WORKER,
  key: workerId,
  payload: { workerId },
});

/** Notifies workers of due visits. Enqueued when some may be due. */
export const SERVE_VISITS: Job = { name: 'serve-visits', key: 'serve-visits', payload: {} };

export const SYSTEM: Actor = { role: 'system' };

export const isWaiting = ({ progress, isReleased }: Assignment): boolean =>
  progress.status === 'pending' || (progress.status === 'assigned' && isReleased === true);

/** Place of the trees as entered, else the worker's region. */
export const placeOf = (assignment: Assignment): string => assignment.location ?? regionPlace(assignment);

/** Place of the trees as entered; undefined while only the region is known. */
export const plotOf = (assignment: Assignment): string | undefined =>
  assignment.location === regionPlace(assignment) ? undefined : assignment.location;

function regionPlace({ progress, region }: Assignment): string {
  const area = progress.worker?.region ?? region;
  return area ? `${area}, Colombia` : 'Colombia';
}

export const plainCoordinates = ({ coordinates }: Assignment): Coordinates | undefined =>
  coordinates && { latitude: coordinates.latitude, longitude: coordinates.longitude };

/** File names of visible photos, oldest first; of one growth visit, or of all. */
export const shownPhotos = ({ photos }: Assignment, growthVisitId?: string): string[] =>
  photos
    .filter(
      (photo) => !photo.isHidden && (growthVisitId === undefined || photo.growthVisitId === growthVisitId),
    )
    .map((photo) => photo.filename);

/** Whether the worker has or had it, including own steps that orders later rejected. */
export const everHad = (assignment: Assignment, workerId: string): boolean =>
  holderIds(assignment).includes(workerId);

const holdersOf = ({ progress, history, steps }: Assignment): Worker[] =>
  [progress, ...history, ...steps].flatMap(({ worker }) => worker ?? []);

const holderIds = (assignment: Assignment): string[] => holdersOf(assignment).map(({ workerId }) => workerId);

/** The worker with this id, if they have or had the assignment. */
export const holderOf = (assignment: Assignment, workerId: string): Worker | undefined =>
  holdersOf(assignment).find((worker) => worker.workerId === workerId);

/** @param now the current worker or visitor */
export const formerWorkerIds = (assignment: Assignment, now: string | undefined): string[] =>
  [...new Set(holderIds(assignment))].filter((workerId) => workerId !== now);

/** @throws Error when the order is unpaid or has not arrived yet; the event is retried */
export function arrived(current: Assignment | undefined, orderId: string): Assignment {
  if (!current || current.progress.status === 'unpaid')
    throw new Error(`no assignment of order ${orderId} yet`);
  return current;
}
