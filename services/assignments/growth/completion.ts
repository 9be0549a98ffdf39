import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import type { Assignment } from '../assignment/assignment.ts';
import { holdingsOf } from '../assignment/history.ts';
import { isDone, type Visit, visitFacts, visitOf, visitorOf, withVisits } from './purchase.ts';

/**
 * A photo of a growth visit makes it done, once; after the last one the purchase is. Who took it must go there now, or
 * have gone there when the photo was taken in: photos of anybody else make nothing done.
 * @param current with the photo
 */
export function completeVisit(
  current: Assignment,
  uploaded: EventData<'photo.uploaded'>,
): Change<Assignment> {
  const { growthVisitId, workerId, uploadedAt: at } = uploaded;
  const found = growthVisitId === undefined ? undefined : visitOf(current, growthVisitId);
  const doneBy = found && !found.visit.doneAt && visitorWith(current, found.visit, workerId);
  if (!found || !doneBy) return { document: current };

  const document = withVisits(current, (visit) =>
    visit.visitId === growthVisitId ? { ...visit, dueAt: visit.dueAt ?? at, doneAt: at, doneBy } : visit,
  );
  const { purchase, visit } = visitOf(document, growthVisitId!)!;
  const photos = current.photos.filter((photo) => photo.growthVisitId === growthVisitId).length;
  const completed: NewEvent = {
    type: 'growth_visit.completed',
    data: { ...visitFacts(document, purchase, visit), worker: doneBy, photos, at },
  };
  const { orderId } = document;
  const { purchaseId } = purchase;
  return {
    document,
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
