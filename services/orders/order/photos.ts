import type { Change } from '@arboleda/chassis/records.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import { notYet, type Order, type Photo } from './order.ts';
import type { TimelineEntry } from './timeline.ts';

/**
 * Adds a photo in any status, as it may arrive before the planting event.
 * @throws Error when the order has not arrived yet; the event is retried
 */
export function decidePhoto(
  current: Order | undefined,
  uploaded: EventData<'photo.uploaded'>,
): Change<Order> | undefined {
  if (!current) throw notYet(uploaded.orderId);
  const { photoId, filename, width, height, takenAt, uploadedAt, coordinates, workerId } = uploaded;
  const { flags, growthVisitId } = uploaded;
  if (current.photos.some((one) => one.photoId === photoId)) return undefined;
  const photo: Photo = {
    photoId,
    filename,
    width,
    height,
    takenAt,
    uploadedAt,
    coordinates,
    ...(flags && flags.length > 0 && { flags }),
    ...(growthVisitId !== undefined && { growthVisitId }),
  };
  const entry: TimelineEntry = { at: uploadedAt, type: 'photo', by: { role: 'worker', id: workerId } };
  return {
    record: {
      ...current,
      photos: [...current.photos, photo].sort(
        (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.photoId.localeCompare(b.photoId),
      ),
      timeline: [...current.timeline, entry],
    },
  };
}

/**
 * Hides or shows a photo; the newest decision wins.
 * @throws Error when the photo has not arrived yet; the event is retried
 */
export function decideVisibility(
  current: Order | undefined,
  { type, data }: NewEvent<'photo.hidden' | 'photo.restored'>,
): Change<Order> | undefined {
  const { photoId, filename, by, reason, at } = data;
  const photo = current?.photos.find((one) => one.photoId === photoId);
  if (!current || !photo) throw new Error(`photo ${photoId} of order ${data.orderId} has not come yet`);
  const lineType = type === 'photo.hidden' ? 'photo_hidden' : 'photo_restored';
  const line: TimelineEntry = { at, type: lineType, by, filename, reason };
  const isKnown = current.timeline.some(
    (one) => one.type === lineType && one.at === at && one.filename === filename,
  );
  if (isKnown) return undefined;
  const shown = { hidden: type === 'photo.hidden', at, by, reason };
  const isLatest = !photo.shown || photo.shown.at < at;
  return {
    record: {
      ...current,
      photos: current.photos.map((one) => (one === photo && isLatest ? { ...one, shown } : one)),
      timeline: [...current.timeline, line],
    },
  };
}
