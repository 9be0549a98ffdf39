import type { Change } from '@arboleda/chassis/records.ts';
import type { Coordinates, Worker } from '@arboleda/contracts/fields.ts';
import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import {
  type Assignment,
  placeOf,
  plainCoordinates,
  plotOf,
  type Purchase,
  SERVE_VISITS,
  shownPhotos,
  type Visit,
} from '../assignment/assignment.ts';
import { schedule, visitFacts, visitOf, visitorOf, withVisits } from './purchase.ts';

const REMINDER_DAYS = 14;
const MAX_REMINDERS = 3;
const DAY_MS = 86_400_000;

/** Time of the next notice to the worker; undefined when there is none. */
export function noticeAt({ dueAt, doneAt, notices, lastNoticeAt }: Visit): string | undefined {
  if (doneAt || !dueAt || notices > MAX_REMINDERS) return undefined;
  if (!lastNoticeAt) return dueAt;
  return new Date(Date.parse(lastNoticeAt) + REMINDER_DAYS * DAY_MS).toISOString();
}

/**
 * Notifies a visit's worker that it is due, or reminds them.
 * @param substitute replaces the order's worker from now on
 */
export function decideNotice(
  current: Assignment | undefined,
  visitId: string,
  now: string,
  substitute?: Worker,
): Change<Assignment> | undefined {
  const found = current && visitOf(current, visitId);
  if (!current || !found) return undefined;
  const { purchase } = found;
  const visit = substitute ? { ...found.visit, ...unnoticed, substitute } : found.visit;
  const worker = visitorOf(current, visit);
  const dueNotice = noticeAt(visit);
  if (purchase.stoppedAt || !worker || !visit.dueAt || !dueNotice || dueNotice > now) return undefined;
  const noticed: Visit = { ...visit, notices: visit.notices + 1, lastNoticeAt: now };
  return {
    record: withVisits(current, (one) => (one.visitId === visitId ? noticed : one)),
    events: [
      {
        type: 'growth_visit.due',
        data: {
          ...visitFacts(current, purchase, visit),
          dueAt: visit.dueAt,
          worker,
          trees: current.trees,
          location: placeOf(current),
          reminders: visit.notices,
        },
      },
    ],
  };
}

/** Restarts the notices when a visit's worker left. */
export function decideVisitorLeft(
  current: Assignment | undefined,
  visitId: string,
  workerId: string,
): Change<Assignment> | undefined {
  const visit = current && visitOf(current, visitId)?.visit;
  if (!current || !visit || visit.doneAt || !visit.lastNoticeAt) return undefined;
  if (visitorOf(current, visit)?.workerId !== workerId) return undefined;
  return {
    record: withVisits(current, (one) => (one.visitId === visitId ? { ...one, ...unnoticed } : one)),
  };
}

const unnoticed = { notices: 0, lastNoticeAt: undefined } as const;

/** Visits move with the order, without notices so far. */
const followWorker = (assignment: Assignment): Assignment =>
  withVisits(assignment, (visit) =>
    visit.doneAt ? visit : { ...visit, ...unnoticed, substitute: undefined },
  );

/** Updates growth visits after a decision on the assignment: they follow the planting and the worker. */
export function inStep(
  before: Assignment | undefined,
  change: Change<Assignment>,
  now: string,
): Change<Assignment> {
  const { record: decided, events = [], jobs = [] } = change;
  const updatedAt = laterThan(before?.updatedAt, now);
  if (decided.growth.length === 0) return { ...change, record: { ...decided, updatedAt } };
  const isWithAnother = before?.progress.worker?.workerId !== decided.progress.worker?.workerId;
  const scheduled = schedule(isWithAnother ? followWorker(decided) : decided, now);
  const record = { ...scheduled.record, updatedAt };
  const isSomeDue = changedVisits(before, record).some(
    (visit) => visit.noticeAt !== undefined && visit.noticeAt <= now,
  );
  return {
    ...change,
    record,
    events: [...events, ...scheduled.events],
    jobs: isSomeDue ? [...jobs, SERVE_VISITS] : jobs,
  };
}

/** Now, or a millisecond after the previous change if that is later. */
const laterThan = (before: string | undefined, now: string): string =>
  before === undefined || before < now ? now : new Date(Date.parse(before) + 1).toISOString();

/** A row of the table of visits. */
export interface ListedVisit {
  visitId: string;
  /** `waiting`: not planted yet. `cancelled`: the package was refunded. */
  phase: 'waiting' | 'open' | 'done' | 'cancelled';
  workerId?: string | undefined;
  dueAt?: string | undefined;
  doneAt?: string | undefined;
  /** Time of the next notice to its worker. */
  noticeAt?: string | undefined;
}

export interface ShownVisit extends Omit<ListedVisit, 'visitId' | 'noticeAt'> {
  _id: string;
  orderId: string;
  assignmentId: string;
  purchaseId: string;
  photoPackageType: PhotoPackageType;
  number: number;
  of: number;
  reminders: number;
  trees: number;
  location: string;
  plot?: string | undefined;
  coordinates?: Coordinates | undefined;
  photos: string[];
}

export const listedVisits = (assignment: Assignment): ListedVisit[] =>
  assignment.growth.flatMap((purchase) =>
    purchase.visits.map((visit) => listed(assignment, purchase, visit)),
  );

function listed(assignment: Assignment, { stoppedAt }: Purchase, visit: Visit): ListedVisit {
  const { visitId, dueAt, doneAt } = visit;
  return {
    visitId,
    phase: doneAt ? 'done' : stoppedAt ? 'cancelled' : dueAt ? 'open' : 'waiting',
    workerId: visitorOf(assignment, visit)?.workerId,
    dueAt,
    doneAt,
    noticeAt: stoppedAt ? undefined : noticeAt(visit),
  };
}

export function changedVisits(before: Assignment | undefined, after: Assignment): ListedVisit[] {
  const known = new Map(
    before && listedVisits(before).map((visit) => [visit.visitId, JSON.stringify(visit)]),
  );
  return listedVisits(after).filter((visit) => known.get(visit.visitId) !== JSON.stringify(visit));
}

export const shownVisits = (assignment: Assignment): ShownVisit[] =>
  assignment.growth.flatMap((purchase) =>
    purchase.visits.map((visit) => {
      const { visitId, noticeAt: _noticeAt, ...place } = listed(assignment, purchase, visit);
      return {
        ...place,
        _id: visitId,
        orderId: assignment.orderId,
        assignmentId: assignment.id,
        purchaseId: purchase.purchaseId,
        photoPackageType: purchase.photoPackageType,
        number: visit.number,
        of: purchase.visits.length,
        reminders: Math.max(0, visit.notices - 1),
        trees: assignment.trees,
        location: placeOf(assignment),
        plot: plotOf(assignment),
        coordinates: plainCoordinates(assignment),
        photos: shownPhotos(assignment, visitId),
      };
    }),
  );

type VisitState = 'waiting' | 'scheduled' | 'due' | 'done' | 'cancelled';

export function stateOf(
  { dueAt, doneAt }: Pick<Visit, 'dueAt' | 'doneAt'>,
  now: string,
): Exclude<VisitState, 'cancelled'> {
  if (doneAt) return 'done';
  if (!dueAt) return 'waiting';
  return dueAt <= now ? 'due' : 'scheduled';
}

/** An open visit of a stopped package is cancelled. */
export const shownStateOf = (visit: ShownVisit, now: string): VisitState =>
  visit.phase === 'cancelled' ? visit.phase : stateOf(visit, now);
