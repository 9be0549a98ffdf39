import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { PhotoDetail } from '@arboleda/contracts/endpoints/media-fields.ts';
import { believablePlace, believableTime, type Evidence } from '@arboleda/contracts/exif.ts';
import { randomBytes } from 'node:crypto';
import { flagsWith, metresBetween, type OrderFacts, placeAndTimeFlags } from '../photos/flags.ts';
import { clientKey, type Photo, photoId } from '../photos/photo.ts';
import type { Accepted } from './upload.ts';

/** What photos are sent for: an assignment's planting, or one of its growth visits. */
export interface Occasion extends OrderFacts {
  assignmentId: string;
  orderId: string;
  growthVisitId?: string;
  /** It is not this worker's any more. */
  isFormer?: boolean;
}

/** A photo as it is first kept. */
export function newPhoto(
  file: Accepted,
  occasion: Occasion,
  worker: { id: string; name: string },
  options: { now: Date; maxDistanceMetres: number },
): Photo {
  const { assignmentId, orderId, growthVisitId } = occasion;
  const takenFor = growthVisitId ?? assignmentId;
  const { clientId } = file.detail;
  const told = evidenceOf(file.evidence, file.detail, occasion.coordinates, options.now);
  return {
    _id: photoId(takenFor, file.digest),
    filename: `${randomBytes(16).toString('base64url')}.jpg`,
    contentHash: file.digest,
    ...(clientId && { clientKey: clientKey(worker.id, takenFor, clientId) }),
    assignmentId,
    orderId,
    ...(growthVisitId && { growthVisitId }),
    workerId: worker.id,
    workerName: worker.name,
    originalName: file.originalName,
    contentType: file.contentType,
    sizeBytes: file.bytes.length,
    ...told,
    ...flagsWith({}, [
      ...placeAndTimeFlags(told, occasion, options),
      ...(occasion.isFormer ? (['after-reassignment'] as const) : []),
    ]),
    // Somebody else may plant there now: an admin decides what the donor is shown.
    ...(occasion.isFormer && !growthVisitId && hiddenAtFirst(options.now)),
    uploadedAt: options.now.toISOString(),
    state: 'accepted',
    variants: [],
  };
}

function hiddenAtFirst(now: Date): Pick<Photo, 'hidden' | 'decisions'> {
  const hidden = { isHidden: true, reason: '', by: { role: 'system' as const }, at: now.toISOString() };
  return { hidden, decisions: [hidden] };
}

type Told = Pick<
  Photo,
  'takenAt' | 'takenAtFrom' | 'coordinates' | 'coordinatesFrom' | 'accuracyMetres' | 'distanceMetres'
>;

/** The file's own word goes before the phone's: it was written when the picture was taken. */
function evidenceOf(
  exif: Evidence,
  detail: PhotoDetail,
  orderPlace: Coordinates | undefined,
  now: Date,
): Told {
  const phonePlace = believablePlace({ latitude: detail.latitude, longitude: detail.longitude });
  const phoneTime = believableTime(detail.takenAt ?? '', now);
  const place = exif.coordinates ?? phonePlace;
  const takenAt = exif.takenAt ?? phoneTime;
  const { accuracyMetres } = exif.coordinates ? {} : detail;
  return {
    ...(takenAt && { takenAt, takenAtFrom: exif.takenAt ? 'exif' : 'phone' }),
    ...(place && { coordinates: place, coordinatesFrom: exif.coordinates ? 'exif' : 'phone' }),
    ...(place && accuracyMetres !== undefined && { accuracyMetres }),
    ...(place && orderPlace && { distanceMetres: metresBetween(place, orderPlace) }),
  };
}
