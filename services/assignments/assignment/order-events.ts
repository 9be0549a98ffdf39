import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { completeVisit } from '../growth/purchase.ts';
import { arrived, type Assignment, assignmentIdOf, type Photo } from './assignment.ts';

/** Adds the order of a submitted transfer. It is not planted before the transfer is approved. */
export function decideAnnouncement(
  current: Assignment | undefined,
  announced: EventData<'payment.submitted'>,
): Change<Assignment> | undefined {
  if (current) return undefined;
  const { orderId, trees, region, customer, submittedAt } = announced;
  return {
    record: newAssignment({ orderId, trees, region, customer, orderedAt: submittedAt }, 'unpaid', 0),
  };
}

/**
 * Adds a paid order, which waits for a worker.
 * @param sequence the order's version
 */
export function decideCreation(
  current: Assignment | undefined,
  order: EventData<'order.created'>,
  sequence: number,
): Change<Assignment> | undefined {
  if (current && current.progress.status !== 'unpaid') return undefined;
  const { orderId, trees, region, customer, createdAt: orderedAt, statusRevision } = order;
  const known = current ?? newAssignment({ orderId, trees, region, customer, orderedAt }, 'pending', 0);
  // An edit since then is newer than the purchase.
  const isNews = sequence >= known.copies.sequence;
  const { name, email } = customer;
  return {
    record: {
      ...known,
      ...(isNews && { trees, customer: { name, email }, copies: { ...known.copies, sequence } }),
      region,
      orderedAt,
      statusRevision,
      confirmedRevision: statusRevision,
      progress: { status: 'pending' },
      confirmed: { status: 'pending' },
    },
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
    id: assignmentIdOf(of.orderId),
    customer: { name, email },
    progress: { status },
    confirmed: { status },
    statusRevision: 0,
    confirmedRevision: 0,
    steps: [],
    history: [],
    setByAdmin: {},
    copies: { sequence, placeSequence: 0 },
    photos: [],
    growth: [],
    updatedAt: of.orderedAt,
  };
}

/**
 * Copies trees, customer and place from orders. Ignores older versions. Copies the place only when it
 * changed, as the worker may have entered another one since.
 * @param sequence the order's version
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decideUpdate(
  current: Assignment | undefined,
  order: EventData<'order.updated'>,
  sequence: number,
): Change<Assignment> | undefined {
  if (!current) throw new Error(`no assignment of order ${order.orderId} yet`);
  const { copies } = current;
  const isNews = sequence > copies.sequence;
  const changed = (field: string) =>
    order.changed.some((name) => name === field || name.startsWith(`${field}.`));
  const isPlaceNews =
    sequence > copies.placeSequence && ['location', 'coordinates', 'notes'].some((field) => changed(field));
  if (!isNews && !isPlaceNews) return undefined;

  const { name, email } = order.customer;
  const set = isPlaceNews && {
    ...(changed('location') && { location: order.location }),
    ...(changed('coordinates') && { coordinates: order.coordinates }),
    ...(changed('notes') && { notes: order.notes }),
  };
  return {
    record: {
      ...current,
      ...(isNews && { trees: order.trees, customer: { name, email } }),
      ...(set && { ...set, setByAdmin: { ...current.setByAdmin, ...set } }),
      copies: {
        sequence: isNews ? sequence : copies.sequence,
        placeSequence: isPlaceNews ? sequence : copies.placeSequence,
      },
    },
  };
}

/**
 * Adds a photo. A photo of a growth visit completes the visit.
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decidePhoto(
  before: Assignment | undefined,
  uploaded: EventData<'photo.uploaded'>,
): Change<Assignment> | undefined {
  const current = arrived(before, uploaded.orderId);
  const { photoId, filename, uploadedAt, growthVisitId } = uploaded;
  if (current.photos.some((photo) => photo.photoId === photoId)) return undefined;
  const photo: Photo = { photoId, filename, uploadedAt, ...(growthVisitId && { growthVisitId }) };
  const photos = [...current.photos, photo].sort(
    (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.photoId.localeCompare(b.photoId),
  );
  return completeVisit({ ...current, photos }, uploaded);
}

/**
 * Hides a photo from everybody but admins, or shows it again.
 * @param sequence the photo's version; older ones are ignored
 * @throws Error when the photo has not arrived yet; the event is retried
 */
export function decideVisibility(
  current: Assignment | undefined,
  { photoId, isHidden, sequence }: { photoId: string; isHidden: boolean; sequence: number },
): Change<Assignment> | undefined {
  const photo = current?.photos.find((one) => one.photoId === photoId);
  if (!current || !photo) throw new Error(`no photo ${photoId} yet`);
  if ((photo.sequence ?? -1) >= sequence) return undefined;
  const photos = current.photos.map((one) => (one === photo ? { ...one, isHidden, sequence } : one));
  return { record: { ...current, photos } };
}
