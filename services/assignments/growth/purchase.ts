import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import { addMonths } from '@arboleda/contracts/months.ts';
import { PHOTO_PACKAGES } from '@arboleda/contracts/packages.ts';
import { arrived, type Assignment, type Purchase, type Visit } from '../assignment/assignment.ts';
import { holdingsOf, plantedSince } from '../assignment/progress.ts';

/** @throws Error when the order has not arrived yet; the event is retried */
export function decidePurchase(
  before: Assignment | undefined,
  bought: EventData<'photo_package.purchased'>,
): Change<Assignment> | undefined {
  const current = arrived(before, bought.orderId);
  const { orderId, purchaseId, photoPackageType, purchasedAt } = bought;
  if (current.growth.some((purchase) => purchase.purchaseId === purchaseId)) return undefined;
  const visits = PHOTO_PACKAGES[photoPackageType].months.map((_months, index) => ({
    visitId: visitIdOf(orderId, current.growth.length, index + 1),
    number: index + 1,
    notices: 0,
  }));
  const purchase: Purchase = { purchaseId, photoPackageType, purchasedAt, revision: 0, visits };
  return { record: { ...current, growth: [...current.growth, purchase] } };
}

/**
 * Cancels a package's visits that were not made, or restores them; the newest event wins.
 * @throws Error when the package has not arrived yet; the event is retried
 */
export function decidePackageStatus(
  before: Assignment | undefined,
  { orderId, purchaseId, status, revision, at }: EventData<'photo_package.status_changed'>,
): Change<Assignment> | undefined {
  const current = arrived(before, orderId);
  const purchase = current.growth.find((one) => one.purchaseId === purchaseId);
  if (!purchase) throw new Error(`purchase ${purchaseId} of order ${orderId} has not come yet`);
  if (revision <= purchase.revision) return undefined;
  const changed = { ...purchase, revision, stoppedAt: status === 'stopped' ? at : undefined };
  return {
    record: { ...current, growth: current.growth.map((one) => (one === purchase ? changed : one)) },
  };
}

const visitIdOf = (orderId: string, purchaseIndex: number, number: number): string =>
  `visit-${orderId}-${purchaseIndex}-${number}`;

/** @returns undefined when it is not a visit's id */
export const orderIdOfVisit = (visitId: string): string | undefined =>
  /^visit-([0-9a-f]{24})-\d+-\d+$/.exec(visitId)?.[1];

export function visitOf(
  { growth }: Assignment,
  visitId: string,
): { purchase: Purchase; visit: Visit } | undefined {
  for (const purchase of growth) {
    const visit = purchase.visits.find((one) => one.visitId === visitId);
    if (visit) return { purchase, visit };
  }
  return undefined;
}

/** The worker who makes, or made, the visit. */
export const visitorOf = ({ progress }: Assignment, { doneBy, substitute }: Visit): Worker | undefined =>
  doneBy ?? substitute ?? progress.worker;

export const withVisits = (assignment: Assignment, change: (visit: Visit) => Visit): Assignment => ({
  ...assignment,
  growth: assignment.growth.map((purchase) => ({ ...purchase, visits: purchase.visits.map(change) })),
});

/** Fields of a visit that events share. */
export const visitFacts = ({ orderId }: Assignment, { purchaseId, visits }: Purchase, visit: Visit) => ({
  visitId: visit.visitId,
  orderId,
  purchaseId,
  number: visit.number,
  of: visits.length,
});

/**
 * Dates of open visits, counted from the later of planting and purchase. Without a planting they have no
 * date.
 */
export function schedule(
  assignment: Assignment,
  at: string,
): { record: Assignment; events: NewEvent<'growth_visit.scheduled'>[] } {
  const plantedAt = plantedSince(assignment.progress);
  const events: NewEvent<'growth_visit.scheduled'>[] = [];
  const growth = assignment.growth.map((before) => {
    const countedFrom = plantedAt && laterOf(plantedAt, before.purchasedAt);
    if (countedFrom === before.countedFrom || before.stoppedAt || isDone(before)) return before;
    const purchase = { ...before, countedFrom, visits: dated(before, countedFrom) };
    if (countedFrom) events.push(scheduled(assignment, purchase, at));
    return purchase;
  });
  return { record: { ...assignment, growth }, events };
}

const isDone = ({ visits }: Purchase): boolean => visits.every((visit) => visit.doneAt !== undefined);

function dated({ photoPackageType, visits }: Purchase, countedFrom: string | undefined): Visit[] {
  const { months } = PHOTO_PACKAGES[photoPackageType];
  return visits.map((visit) =>
    visit.doneAt
      ? visit
      : {
          ...visit,
          dueAt: countedFrom && addMonths(countedFrom, months[visit.number - 1]!),
          notices: 0,
          lastNoticeAt: undefined,
        },
  );
}

function scheduled(
  assignment: Assignment,
  purchase: Purchase,
  at: string,
): NewEvent<'growth_visit.scheduled'> {
  const { purchaseId, photoPackageType } = purchase;
  const visits = purchase.visits.flatMap((visit) =>
    visit.dueAt ? [{ ...visitFacts(assignment, purchase, visit), dueAt: visit.dueAt }] : [],
  );
  const { orderId } = assignment;
  return { type: 'growth_visit.scheduled', data: { orderId, purchaseId, photoPackageType, visits, at } };
}

const laterOf = (a: string, b: string): string => (Date.parse(a) >= Date.parse(b) ? a : b);

/**
 * Completes a visit with its first photo, and the purchase with its last visit. The photographer must be the
 * visitor now, or have been when the photo was uploaded.
 * @param current with the photo
 */
export function completeVisit(
  current: Assignment,
  uploaded: EventData<'photo.uploaded'>,
): Change<Assignment> {
  const { growthVisitId, workerId, uploadedAt: at } = uploaded;
  const found = growthVisitId === undefined ? undefined : visitOf(current, growthVisitId);
  const doneBy = found && !found.visit.doneAt && visitorWith(current, found.visit, workerId);
  if (!found || !doneBy) return { record: current };

  const record = withVisits(current, (visit) =>
    visit.visitId === growthVisitId ? { ...visit, dueAt: visit.dueAt ?? at, doneAt: at, doneBy } : visit,
  );
  const { purchase, visit } = visitOf(record, growthVisitId!)!;
  const photos = current.photos.filter((photo) => photo.growthVisitId === growthVisitId).length;
  const completed: NewEvent = {
    type: 'growth_visit.completed',
    data: { ...visitFacts(record, purchase, visit), worker: doneBy, photos, at },
  };
  const { orderId } = record;
  const { purchaseId } = purchase;
  return {
    record,
    events: isDone(purchase)
      ? [completed, { type: 'photo_package.completed', data: { orderId, purchaseId, at } }]
      : [completed],
  };
}

function visitorWith(current: Assignment, visit: Visit, workerId: string): Worker | undefined {
  const now = visitorOf(current, visit);
  const before = holdingsOf(current).map(({ worker }) => worker);
  return [now, ...before].find((worker) => worker?.workerId === workerId);
}
