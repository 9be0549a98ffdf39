import { placeFault } from '@arboleda/contracts/colombia.ts';
import type { PhotoDetail } from '@arboleda/contracts/endpoints/media-fields.ts';
import { believablePlace, believableTime, type Evidence } from '@arboleda/contracts/exif.ts';
import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { PhotoFlag } from '@arboleda/contracts/photo.ts';
import { randomBytes } from 'node:crypto';
import { clientKey, type Photo, photoId, withFlags } from '../photos/photo.ts';
import type { Accepted } from './upload.ts';

export interface OrderFacts {
  coordinates?: Coordinates | undefined;
  /** Time of payment. */
  orderedAt?: string | undefined;
}

/** The purpose of an upload: an assignment's planting, or one of its growth visits. */
export interface Occasion extends OrderFacts {
  assignmentId: string;
  orderId: string;
  growthVisitId?: string;
  isFormer?: boolean;
}

export function newPhoto(
  file: Accepted,
  occasion: Occasion,
  worker: { id: string; name: string },
  options: { now: Date; maxDistanceMetres: number },
): Photo {
  const { assignmentId, orderId, growthVisitId } = occasion;
  const takenFor = growthVisitId ?? assignmentId;
  const { clientId } = file.detail;
  const evidence = evidenceOf(file.evidence, file.detail, occasion.coordinates, options.now);
  const flags = placeAndTimeFlags(evidence, occasion, options);
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
    ...evidence,
    flags: withFlags(flags, occasion.isFormer ? ['after-reassignment'] : []),
    // Another worker may plant there now, so an admin decides what the donor sees.
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

type PlaceAndTime = Pick<
  Photo,
  'takenAt' | 'takenAtFrom' | 'coordinates' | 'coordinatesFrom' | 'accuracyMetres' | 'distanceMetres'
>;

/** The file takes precedence over the phone: its EXIF was written when the picture was taken. */
function evidenceOf(
  exif: Evidence,
  detail: PhotoDetail,
  orderPlace: Coordinates | undefined,
  now: Date,
): PlaceAndTime {
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

/** Clocks and time zones may be wrong by a day; a larger difference suggests another day's photo. */
const EARLY_TOLERANCE_MS = 2 * 86_400_000;

/** Flags for a suspicious place or time. The phone's accuracy is allowed for; no tree stands outside Colombia. */
export function placeAndTimeFlags(
  photo: Pick<Photo, 'takenAt' | 'coordinates' | 'accuracyMetres' | 'distanceMetres'>,
  order: OrderFacts,
  { maxDistanceMetres }: { maxDistanceMetres: number },
): PhotoFlag[] {
  const flags: PhotoFlag[] = [];
  const leastDistance = (photo.distanceMetres ?? 0) - (photo.accuracyMetres ?? 0);
  const isElsewhere = photo.coordinates !== undefined && placeFault(photo.coordinates) !== undefined;
  if (isElsewhere || leastDistance > maxDistanceMetres) flags.push('far-from-place');
  if (photo.takenAt && order.orderedAt) {
    const earlyByMs = Date.parse(order.orderedAt) - Date.parse(photo.takenAt);
    if (earlyByMs > EARLY_TOLERANCE_MS) flags.push('taken-before-order');
  }
  return flags;
}

const EARTH_RADIUS_METRES = 6_371_008;

/** Great-circle distance, to the metre. https://en.wikipedia.org/wiki/Haversine_formula */
export function metresBetween(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const h =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return Math.round(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h))));
}
