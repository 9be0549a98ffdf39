import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { type Assignment, placeOf, plainCoordinates } from '../assignment/assignment.ts';
import { shownPhotos } from '../assignment/photos.ts';
import { noticeAt } from './notices.ts';
import { type Purchase, type Visit, visitorOf } from './purchase.ts';

/**
 * A visit as lists and searches need it: made of its assignment, which alone is decided on. `revision` tells the newer
 * of two.
 */
export interface VisitRow {
  _id: string;
  orderId: string;
  assignmentId: string;
  purchaseId: string;
  photoPackageType: PhotoPackageType;
  number: number;
  of: number;
  /** `waiting`: its trees are not planted. `cancelled`: the money of its package went back. */
  phase: 'waiting' | 'open' | 'done' | 'cancelled';
  workerId?: string | undefined;
  dueAt?: string | undefined;
  doneAt?: string | undefined;
  /** When its worker is to hear of it next. */
  noticeAt?: string | undefined;
  reminders: number;
  trees: number;
  location: string;
  coordinates?: Coordinates | undefined;
  photos: readonly string[];
  revision: number;
}

export const PROJECT_VISITS = 'project-visits';
/** Brings the list of an order's visits up to its assignment. */
export const projectionOf = (orderId: string): Job => ({
  name: PROJECT_VISITS,
  key: orderId,
  payload: { orderId },
});

export const rowsOf = (assignment: Assignment): VisitRow[] =>
  assignment.growth.flatMap((purchase) => purchase.visits.map((visit) => rowOf(assignment, purchase, visit)));

function rowOf(assignment: Assignment, purchase: Purchase, visit: Visit): VisitRow {
  const { orderId, _id: assignmentId, trees, visitsRevision: revision } = assignment;
  const { purchaseId, photoPackageType, visits, stoppedAt } = purchase;
  const { visitId: _id, number, dueAt, doneAt } = visit;
  return {
    ...{ _id, orderId, assignmentId, purchaseId, photoPackageType, number, of: visits.length },
    phase: doneAt ? 'done' : stoppedAt ? 'cancelled' : dueAt ? 'open' : 'waiting',
    workerId: visitorOf(assignment, visit)?.workerId,
    ...{ dueAt, doneAt, noticeAt: stoppedAt ? undefined : noticeAt(visit) },
    reminders: remindersOf(visit),
    trees,
    location: placeOf(assignment),
    coordinates: plainCoordinates(assignment),
    photos: shownPhotos(assignment, visit.visitId),
    revision,
  };
}

/** The first notice is none. */
export const remindersOf = ({ notices }: Visit): number => Math.max(0, notices - 1);

export type VisitState = 'waiting' | 'scheduled' | 'due' | 'done' | 'cancelled';

export function stateOf(
  { dueAt, doneAt }: Pick<VisitRow, 'dueAt' | 'doneAt'>,
  now: string,
): Exclude<VisitState, 'cancelled'> {
  if (doneAt) return 'done';
  if (!dueAt) return 'waiting';
  return dueAt <= now ? 'due' : 'scheduled';
}

export const rowStateOf = (row: VisitRow, now: string): VisitState =>
  row.phase === 'cancelled' ? row.phase : stateOf(row, now);
