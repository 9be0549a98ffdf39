import { PHOTO_WIDTHS } from '@arboleda/contracts/endpoints/media.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Coordinates } from '@arboleda/contracts/fields.ts';
import { createHash } from 'node:crypto';

/** A size of a photo that people can look at. */
export interface Variant {
  /** One of PHOTO_WIDTHS: what it is asked for by. A small original is not enlarged to it. */
  nominalWidth: number;
  width: number;
  height: number;
}

export interface Photo {
  /** Made of the assignment and the bytes, so that the same file sent twice is one photo: see photoId. */
  _id: string;
  /** What the public asks for; random, so that nobody finds a photo by guessing. */
  filename: string;
  assignmentId: string;
  orderId: string;
  workerId: string;
  originalName: string;
  contentType: string;
  sizeBytes: number;
  takenAt?: string;
  coordinates?: Coordinates;
  uploadedAt: string;
  /** `accepted`: the original is kept. `ready`: there is something to look at. */
  state: 'accepted' | 'ready';
  /** Smallest first; empty until the photo is ready. */
  variants: Variant[];
}

export const photoId = (assignmentId: string, bytes: Uint8Array): string =>
  createHash('sha256').update(assignmentId).update('\0').update(bytes).digest('base64url');

export const originalKey = (id: string): string => `originals/${id}`;
export const variantKey = (id: string, nominalWidth: number): string => `variants/${id}/${nominalWidth}.jpg`;

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
): { document: Photo; events: NewEvent<'photo.uploaded'>[] } | undefined {
  if (photo.state === 'ready') return undefined;
  const { orderId, assignmentId, workerId, filename, takenAt, coordinates, uploadedAt } = photo;
  const { width, height } = variants.at(-1)!;
  const data = {
    orderId, assignmentId, workerId, photoId: photo._id, filename, width, height, takenAt, coordinates, uploadedAt,
  }; // prettier-ignore
  return {
    document: { ...photo, state: 'ready', variants: [...variants] },
    events: [{ type: 'photo.uploaded', data }],
  };
}
