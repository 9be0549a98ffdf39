import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { Actor, Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import type { Assigned, Completed, Holding, OwnStep, Planted, Progress } from './progress.ts';

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
  /** Later with each change, whatever the clocks of replicas say. */
  updatedAt: string;
}

export interface Photo {
  photoId: string;
  filename: string;
  uploadedAt: string;
  /** The growth visit it was taken on. */
  growthVisitId?: string | undefined;
  isHidden?: boolean | undefined;
  /** The photo's version that this is from. */
  sequence?: number | undefined;
}

/** A photo package that was bought for an order. */
export interface Purchase {
  purchaseId: string;
  photoPackageType: PhotoPackageType;
  purchasedAt: string;
  /** Its money went back: visits that were not made are cancelled. */
  stoppedAt?: string | undefined;
  /** Counts the times it was stopped, or became active again. */
  revision: number;
  /** What the dates count from: the later of planting and purchase; not there before the planting. */
  countedFrom?: string | undefined;
  visits: readonly Visit[];
}

/** One update of a photo package: somebody goes there and takes photos. */
export interface Visit {
  visitId: string;
  /** Counts from 1. */
  number: number;
  /** Not there while its trees are not planted. */
  dueAt?: string | undefined;
  doneAt?: string | undefined;
  doneBy?: Worker | undefined;
  /** How often its worker was told that it is due: once, then reminded. */
  notices: number;
  lastNoticeAt?: string | undefined;
  /** Goes there in the place of the order's worker, who had left when it was due. */
  standIn?: Worker | undefined;
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

/** Tells workers of the visits that are due; enqueued when there may be some. */
export const SERVE_VISITS: Job = { name: 'serve-visits', key: 'serve-visits', payload: {} };

export const SYSTEM: Actor = { role: 'system' };

/** Whether it looks for a worker by itself. */
export const isWaiting = ({ progress, isReleased }: Assignment): boolean =>
  progress.status === 'pending' || (progress.status === 'assigned' && isReleased === true);

/** Where the trees go: as somebody said, else the worker's region. */
export function placeOf({ location, progress, region }: Assignment): string {
  const area = progress.worker?.region ?? region;
  return location ?? (area ? `${area}, Colombia` : 'Colombia');
}

export const plainCoordinates = ({ coordinates }: Assignment): Coordinates | undefined =>
  coordinates && { latitude: coordinates.latitude, longitude: coordinates.longitude };

/** Filenames that may be seen, oldest first; of one growth visit, or of all. */
export const shownPhotos = ({ photos }: Assignment, growthVisitId?: string): string[] =>
  photos
    .filter(
      (photo) => !photo.isHidden && (growthVisitId === undefined || photo.growthVisitId === growthVisitId),
    )
    .map((photo) => photo.filename);

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
