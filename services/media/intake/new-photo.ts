import type { PhotoDetail } from '@arboleda/contracts/endpoints/media-fields.ts';
import { believablePlace, believableTime, type Evidence } from '@arboleda/contracts/exif.ts';
import type { Coordinates } from '@arboleda/contracts/fields.ts';
import type { PhotoFlag } from '@arboleda/contracts/photo.ts';
import { randomBytes } from 'node:crypto';
import { clientKey, type Photo, photoId, withFlags } from '../photos/photo.ts';
import type { Accepted } from './upload.ts';

/** What is known of the order that a photo was sent for. */
export interface OrderFacts {
  coordinates?: Coordinates | undefined;
  /** When it was paid. */
  orderedAt?: string | undefined;
}

/** What photos are sent for: an assignment's planting, or one of its growth visits. */
export interface Occasion extends OrderFacts {
  assignmentId: string;
  orderId: string;
  growthVisitId?: string;
  /** The worker had it before, and has it no more. */
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

type PlaceAndTime = Pick<
  Photo,
  'takenAt' | 'takenAtFrom' | 'coordinates' | 'coordinatesFrom' | 'accuracyMetres' | 'distanceMetres'
>;

/** The file goes before the phone: its EXIF was written when the picture was taken. */
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

/** Clocks and time zones are wrong by a day; more is another day's photo. */
const EARLY_TOLERANCE_MS = 2 * 86_400_000;

/** What the place and the time of a photo say against it. The phone's own accuracy counts in its favour. */
export function placeAndTimeFlags(
  photo: Pick<Photo, 'takenAt' | 'accuracyMetres' | 'distanceMetres'>,
  order: OrderFacts,
  { maxDistanceMetres }: { maxDistanceMetres: number },
): PhotoFlag[] {
  const flags: PhotoFlag[] = [];
  const leastDistance = (photo.distanceMetres ?? 0) - (photo.accuracyMetres ?? 0);
  if (leastDistance > maxDistanceMetres) flags.push('far-from-place');
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
