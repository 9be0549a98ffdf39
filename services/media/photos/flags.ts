import type { Coordinates } from '@arboleda/contracts/fields.ts';
import { PHOTO_FLAGS, type PhotoFlag } from '@arboleda/contracts/photo.ts';
import type { Photo } from './photo.ts';

/** What is known of the order that a photo was sent for. */
export interface OrderFacts {
  coordinates?: Coordinates | undefined;
  /** When it was paid. */
  orderedAt?: string | undefined;
}

type Told = Pick<Photo, 'takenAt' | 'accuracyMetres' | 'distanceMetres'>;

/** Clocks and time zones are wrong by a day; more is another day's photo. */
const EARLY_TOLERANCE_MS = 2 * 86_400_000;
const EARTH_RADIUS_METRES = 6_371_008;

/** What the place and the time of a photo say against it. How sure the phone was of the place counts for the photo. */
export function placeAndTimeFlags(
  photo: Told,
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

/** Great-circle distance, to the metre. https://en.wikipedia.org/wiki/Haversine_formula */
export function metresBetween(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const h =
    half(a.latitude, b.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return Math.round(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** In the order of the catalogue. */
export const flagsOf = ({ flags }: Pick<Photo, 'flags'>): PhotoFlag[] =>
  PHOTO_FLAGS.filter((flag) => flags?.[flag]);

/** A photo's fields with further flags. */
export function flagsWith(
  { flags }: Pick<Photo, 'flags'>,
  more: readonly PhotoFlag[],
): Required<Pick<Photo, 'flags' | 'isFlagged'>> {
  const all = { ...flags, ...Object.fromEntries(more.map((flag) => [flag, true as const])) };
  return { flags: all, isFlagged: Object.keys(all).length > 0 };
}

/** A photo's fields without a flag that does not hold any more; none when it never had it. */
export function flagsWithout(
  { flags }: Pick<Photo, 'flags'>,
  gone: PhotoFlag,
): Partial<Pick<Photo, 'flags' | 'isFlagged'>> {
  if (!flags?.[gone]) return flags ? { flags } : {};
  const { [gone]: _gone, ...left } = flags;
  return { flags: left, isFlagged: Object.keys(left).length > 0 };
}
