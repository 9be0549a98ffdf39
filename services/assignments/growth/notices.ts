import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import { type Assignment, placeOf } from '../assignment/assignment.ts';
import { type Visit, visitFacts, visitOf, visitorOf, withVisits } from './purchase.ts';

const REMINDER_DAYS = 14;
const MAX_REMINDERS = 3;
const DAY_MS = 86_400_000;

/** When the worker is to hear next that a visit is due; undefined when they are not. */
export function noticeAt({ dueAt, doneAt, notices, lastNoticeAt }: Visit): string | undefined {
  if (doneAt || !dueAt || notices > MAX_REMINDERS) return undefined;
  if (!lastNoticeAt) return dueAt;
  return new Date(Date.parse(lastNoticeAt) + REMINDER_DAYS * DAY_MS).toISOString();
}

/**
 * Tells a visit's worker that it is due, or reminds them.
 * @param standIn who goes there from now on
 */
export function decideNotice(
  current: Assignment | undefined,
  visitId: string,
  now: string,
  standIn?: Worker,
): Change<Assignment> | undefined {
  const found = current && visitOf(current, visitId);
  if (!current || !found) return undefined;
  const { purchase } = found;
  const visit = standIn ? { ...found.visit, ...unnoticed, standIn } : found.visit;
  const worker = visitorOf(current, visit);
  const dueNotice = noticeAt(visit);
  if (purchase.stoppedAt || !worker || !visit.dueAt || !dueNotice || dueNotice > now) return undefined;
  const noticed: Visit = { ...visit, notices: visit.notices + 1, lastNoticeAt: now };
  return {
    document: withVisits(current, (one) => (one.visitId === visitId ? noticed : one)),
    events: [
      {
        type: 'growth_visit.due',
        data: {
          ...visitFacts(current, purchase, visit),
          ...{ dueAt: visit.dueAt, worker, trees: current.trees, location: placeOf(current) },
          reminders: visit.notices,
        },
      },
    ],
  };
}

/** A visit's worker left: whoever goes there next is told anew. */
export function decideVisitorLeft(
  current: Assignment | undefined,
  visitId: string,
  workerId: string,
): Change<Assignment> | undefined {
  const visit = current && visitOf(current, visitId)?.visit;
  if (!current || !visit || visit.doneAt || !visit.lastNoticeAt) return undefined;
  if (visitorOf(current, visit)?.workerId !== workerId) return undefined;
  return {
    document: withVisits(current, (one) => (one.visitId === visitId ? { ...one, ...unnoticed } : one)),
  };
}

/** Visits follow the order to another worker, who has heard of none yet. */
export const followWorker = (assignment: Assignment): Assignment =>
  withVisits(assignment, (visit) => (visit.doneAt ? visit : { ...visit, ...unnoticed, standIn: undefined }));

const unnoticed = { notices: 0, lastNoticeAt: undefined } as const;
