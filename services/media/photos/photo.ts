import type { Context } from '@arboleda/chassis/context.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import { placeFault } from '@arboleda/contracts/colombia.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Actor, Coordinates } from '@arboleda/contracts/fields.ts';
import {
  type EvidenceOrigin,
  PHOTO_FLAGS,
  PHOTO_WIDTHS,
  type PhotoFlag,
  type PhotoState,
} from '@arboleda/contracts/photo.ts';
import { createHash } from 'node:crypto';

export interface Variant {
  /** The requested width, one of PHOTO_WIDTHS. A smaller original is not enlarged. */
  nominalWidth: number;
  width: number;
  height: number;
}

/** An admin's decision on the visibility of a photo. */
export interface Decision {
  isHidden: boolean;
  reason: string;
  by: Actor;
  at: string;
}

/** Processing has two steps: first the JPEGs, with which a photo is shown, then the newer formats. */
export const PICTURE_STEPS = ['jpeg', 'modern'] as const;
export type PictureStep = (typeof PICTURE_STEPS)[number];

export interface Work {
  step: PictureStep;
  /** When it may be leased: at once, after a failure, or when the lease ends. Absent once given up. */
  dueAt?: string;
  tries: number;
  /** Set for a dead letter, which only an operator requeues. */
  givenUp?: { error: string; at: string };
  /** Context of the upload, for its events and log lines. */
  context: Context;
}

export interface Photo {
  /** Derived from purpose and bytes, so a repeated upload is the same photo: see photoId. */
  _id: string;
  /** Public name; random, so that photos cannot be guessed. */
  filename: string;
  /** Equal for equal files, whatever their purpose. */
  contentHash: string;
  /** Identifies an upload of a phone: see clientKey. Unique. */
  clientKey?: string;
  assignmentId: string;
  orderId: string;
  /** Set for photos of a growth visit; absent for the planting. */
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
  /** From the phone, as files lack it. */
  accuracyMetres?: number;
  /** To the order's place, when both are known. */
  distanceMetres?: number;
  uploadedAt: string;
  state: PhotoState;
  /** Smallest first; empty until the photo is ready. */
  variants: Variant[];
  /** Whether WebP and AVIF exist beside the JPEGs. */
  hasModern?: boolean;
  /** Absent when all pictures exist. */
  work?: Work;
  /** In the order of the catalogue. */
  flags: readonly PhotoFlag[];
  /** The decision that hid it, while hidden. */
  hidden?: Decision;
  /** Oldest first. */
  decisions?: Decision[];
}

/**
 * The same file sent twice for the same purpose is one photo.
 * @param takenFor the growth visit or, for photos of the planting, the assignment
 */
export const photoId = (takenFor: string, hash: string): string =>
  createHash('sha256').update(takenFor).update('\0').update(hash).digest('base64url');

export const contentHash = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url');

/** Scopes a phone's id of a photo to its sender and purpose. */
export const clientKey = (workerId: string, takenFor: string, clientId: string): string =>
  createHash('sha256').update([workerId, takenFor, clientId].join('\0')).digest('base64url');

/** Widths up to the first that covers the original. */
export const widthsFor = (originalWidth: number, widths: readonly number[] = PHOTO_WIDTHS): number[] =>
  widths.filter((_width, index) => index === 0 || widths[index - 1]! < originalWidth);

/** The picture for a requested width; undefined while there is none. */
export const variantFor = (photo: Photo, askedWidth: number): Variant | undefined =>
  photo.variants.find((variant) => variant.nominalWidth >= askedWidth) ?? photo.variants.at(-1);

/** Merges flags in the order of the catalogue. */
export const withFlags = (flags: readonly PhotoFlag[], more: readonly PhotoFlag[]): PhotoFlag[] =>
  PHOTO_FLAGS.filter((flag) => flags.includes(flag) || more.includes(flag));

const withoutFlag = (flags: readonly PhotoFlag[], gone: PhotoFlag) => flags.filter((flag) => flag !== gone);

/** Flags a photo whose file was sent for another purpose too; undefined when it is flagged already. */
export function becomeRepeated(photo: Photo): Change<Photo> | undefined {
  if (photo.flags.includes('used-elsewhere')) return undefined;
  return { record: { ...photo, flags: withFlags(photo.flags, ['used-elsewhere']) } };
}

export const newWork = (step: PictureStep, context: Context, now: Date): Work => ({
  step,
  dueAt: now.toISOString(),
  tries: 0,
  context,
});

/** Its JPEGs exist, so the photo can be shown. Undefined when it was ready before. */
export function becomeReady(
  photo: Photo,
  variants: readonly Variant[],
  now: Date,
): Change<Photo> | undefined {
  if (photo.state === 'ready') return undefined;
  const { orderId, assignmentId, workerId, filename, takenAt, coordinates, uploadedAt, growthVisitId } =
    photo;
  const { width, height } = variants.at(-1)!;
  const flags = withoutFlag(photo.flags, 'cannot-be-shown');
  // Donors do not see a wrong date or place; admins see it with its flag.
  const isTimely = !flags.includes('taken-before-order');
  const uploaded: NewEvent<'photo.uploaded'> = {
    type: 'photo.uploaded',
    data: {
      orderId,
      assignmentId,
      workerId,
      photoId: photo._id,
      filename,
      width,
      height,
      coordinates: coordinates && placeFault(coordinates) ? undefined : coordinates,
      uploadedAt,
      takenAt: isTimely ? takenAt : undefined,
      growthVisitId,
      flags,
    },
  };
  return {
    record: {
      ...photo,
      flags,
      state: 'ready',
      variants: [...variants],
      ...(photo.work && { work: newWork('modern', photo.work.context, now) }),
    },
    // Hidden before it was published.
    events: [uploaded, ...(photo.hidden ? [visibilityEvent(photo, photo.hidden)] : [])],
  };
}

/** Its WebP and AVIF exist: the last step. Undefined when they existed before. */
export function becomeModern({ work: _done, ...photo }: Photo): Change<Photo> | undefined {
  return photo.hasModern ? undefined : { record: { ...photo, hasModern: true } };
}

/** Whether the lease still belongs to the process that got the photo as `leased`. */
const isLeased = (photo: Photo, leased: Photo): boolean =>
  photo.work?.dueAt !== undefined &&
  photo.work.step === leased.work?.step &&
  photo.work.tries === leased.work.tries;

/** Moves the end of a lease: extends it during processing, or schedules a retry. */
export function moveLease(photo: Photo, leased: Photo, dueAt: Date): Change<Photo> | undefined {
  if (!photo.work || !isLeased(photo, leased)) return undefined;
  return { record: { ...photo, work: { ...photo.work, dueAt: dueAt.toISOString() } } };
}

/** Makes the photo a dead letter. One without a picture is flagged, and its worker is asked to take it again. */
export function giveUp(photo: Photo, leased: Photo, error: string, at: Date): Change<Photo> | undefined {
  if (!photo.work || !isLeased(photo, leased)) return undefined;
  const { dueAt: _never, ...work } = photo.work;
  const given = { ...photo, work: { ...work, givenUp: { error, at: at.toISOString() } } };
  if (photo.state !== 'accepted') return { record: given };
  return { record: { ...given, state: 'unshowable', flags: withFlags(photo.flags, ['cannot-be-shown']) } };
}

/** Requeues a dead letter with all its tries; undefined when it is none. */
export function requeue(photo: Photo, now: Date): Change<Photo> | undefined {
  if (!photo.work?.givenUp) return undefined;
  return { record: { ...photo, work: newWork(photo.work.step, photo.work.context, now) } };
}

/** Discards a dead letter: its pictures are never made. Undefined when it is none. */
export function discard({ work, ...photo }: Photo): Change<Photo> | undefined {
  return work?.givenUp ? { record: photo } : undefined;
}

/** Hides a photo from the public or shows it again; undefined when nothing changes. */
export function decideVisibility(photo: Photo, asked: Decision): Change<Photo> | undefined {
  const isDecided = !photo.hidden || photo.hidden.by.role !== 'system';
  if (Boolean(photo.hidden) === asked.isHidden && isDecided) return undefined;
  const decision = { ...asked, at: later(photo.decisions?.at(-1)?.at, asked.at) };
  const { hidden: _before, ...rest } = photo;
  return {
    record: {
      ...rest,
      ...(decision.isHidden && { hidden: decision }),
      decisions: [...(photo.decisions ?? []), decision],
    },
    events: photo.state === 'ready' ? [visibilityEvent(photo, decision)] : [],
  };
}

/** Makes decision times strictly increasing, even at one instant or on different clocks. */
const later = (before: string | undefined, now: string): string =>
  before && before >= now ? new Date(Date.parse(before) + 1).toISOString() : now;

function visibilityEvent(photo: Photo, { isHidden, by, reason, at }: Decision): NewEvent {
  const { orderId, assignmentId, _id: photoId, filename } = photo;
  const data = { orderId, assignmentId, photoId, filename, by, reason, at };
  return isHidden ? { type: 'photo.hidden', data } : { type: 'photo.restored', data };
}
