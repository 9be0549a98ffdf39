import { PHOTO_WIDTHS } from '@arboleda/contracts/endpoints/media.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor, Coordinates } from '@arboleda/contracts/fields.ts';
import type { EvidenceOrigin, PhotoFlag, PhotoState } from '@arboleda/contracts/photo.ts';
import { createHash } from 'node:crypto';
import { flagsOf, flagsWith, flagsWithout } from './flags.ts';
import { hiddenEvent } from './moderation.ts';

/** A size of a photo that people can look at. */
export interface Variant {
  /** One of PHOTO_WIDTHS: what it is asked for by. A small original is not enlarged to it. */
  nominalWidth: number;
  width: number;
  height: number;
}

/** What an admin decided about who may see a photo. */
export interface Decision {
  isHidden: boolean;
  reason: string;
  by: Actor;
  at: string;
}

export interface Photo {
  /** Made of what it was taken for and its bytes, so that the same file sent twice is one photo: see photoId. */
  _id: string;
  /** What the public asks for; random, so that nobody finds a photo by guessing. */
  filename: string;
  /** The same for the same file, whatever it was sent for. */
  contentHash: string;
  /** Names one sending of one photo: see clientKey. Unique. */
  clientKey?: string;
  assignmentId: string;
  orderId: string;
  /** The growth visit it was taken on; absent for photos of the planting. */
  growthVisitId?: string;
  workerId: string;
  workerName?: string;
  originalName: string;
  contentType: string;
  sizeBytes: number;
  takenAt?: string;
  takenAtFrom?: EvidenceOrigin;
  coordinates?: Coordinates;
  coordinatesFrom?: EvidenceOrigin;
  /** As the phone told; files say nothing of it. */
  accuracyMetres?: number;
  /** To the order's place, when both are known. */
  distanceMetres?: number;
  uploadedAt: string;
  state: PhotoState;
  /** Smallest first; empty until the photo is ready. */
  variants: Variant[];
  /** Whether WebP and AVIF stand beside the JPEGs, once the photo is ready. */
  modern?: 'awaited' | 'made';
  /** A field for each, since queries do not look into lists. */
  flags?: Partial<Record<PhotoFlag, true>>;
  isFlagged?: boolean;
  /** While it is hidden: what hid it. */
  hidden?: Decision;
  /** All decisions, oldest first. */
  decisions?: Decision[];
}

/**
 * The same file sent twice for the same thing is one photo.
 * @param takenFor the growth visit or, for photos of the planting, the assignment
 */
export const photoId = (takenFor: string, hash: string): string =>
  createHash('sha256').update(takenFor).update('\0').update(hash).digest('base64url');

export const contentHash = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url');

/** A phone's own id of a photo means something only to the one who sent it, for what it was sent. */
export const clientKey = (workerId: string, takenFor: string, clientId: string): string =>
  createHash('sha256').update([workerId, takenFor, clientId].join('\0')).digest('base64url');

/** The widths worth making: up to the first that shows all an original has. */
export const widthsFor = (originalWidth: number): number[] =>
  PHOTO_WIDTHS.filter((_width, index) => index === 0 || PHOTO_WIDTHS[index - 1]! < originalWidth);

/** What to show somebody who asked for a width; undefined while there is nothing. */
export const variantFor = (photo: Photo, askedWidth: number): Variant | undefined =>
  photo.variants.find((variant) => variant.nominalWidth >= askedWidth) ?? photo.variants.at(-1);

/** The photo with its variants, and the news of it; undefined when it was ready before. */
export function becomeReady(
  photo: Photo,
  variants: readonly Variant[],
): { document: Photo; events: NewEvent[] } | undefined {
  if (photo.state === 'ready') return undefined;
  const { orderId, assignmentId, workerId, filename, takenAt, coordinates, uploadedAt, growthVisitId } =
    photo;
  const { width, height } = variants.at(-1)!;
  // A clock that was wrong tells donors nothing; the admin sees it with its flag.
  const isTimely = !photo.flags?.['taken-before-order'];
  const uploaded: NewEvent<'photo.uploaded'> = {
    type: 'photo.uploaded',
    data: {
      orderId, assignmentId, workerId, photoId: photo._id, filename, width, height, coordinates, uploadedAt,
      takenAt: isTimely ? takenAt : undefined,
      growthVisitId, flags: flagsOf(flagsWithout(photo, 'cannot-be-shown')),
    },
  }; // prettier-ignore
  return {
    document: {
      ...photo,
      ...flagsWithout(photo, 'cannot-be-shown'),
      state: 'ready',
      variants: [...variants],
      modern: 'awaited',
    },
    // Who was told of no photo was told of no hiding either.
    events: [uploaded, ...(photo.hidden ? [hiddenEvent(photo, photo.hidden)] : [])],
  };
}

/** No picture can be made of it; undefined when there is one, or that is known. */
export function becomeUnshowable(photo: Photo): Photo | undefined {
  if (photo.state !== 'accepted') return undefined;
  return { ...photo, ...flagsWith(photo, ['cannot-be-shown']), state: 'unshowable' };
}

/** The same file was sent for something else, too; undefined when that is known. */
export function becomeRepeated(photo: Photo): Photo | undefined {
  if (photo.flags?.['used-elsewhere']) return undefined;
  return { ...photo, ...flagsWith(photo, ['used-elsewhere']) };
}
