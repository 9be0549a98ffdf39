import type { Context } from '@arboleda/chassis/context.ts';
import type { Change } from '@arboleda/chassis/records.ts';
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

/** Pictures are made in two steps: the JPEGs, which a photo is first shown by, then the newer formats. */
export const PICTURE_STEPS = ['jpeg', 'modern'] as const;
export type PictureStep = (typeof PICTURE_STEPS)[number];

/** The next step in making a photo's pictures. */
export interface Work {
  step: PictureStep;
  /** From when it may be leased: at once, after a failed try, or when the present lease ends. Absent once it was given up. */
  dueAt?: string;
  /** How often it was leased. */
  tries: number;
  /** A dead letter: nobody tries again until an operator asks for it. */
  givenUp?: { error: string; at: string };
  /** Of the upload, for the events and log lines that follow from it. */
  context: Context;
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
  /** From the phone; files do not say it. */
  accuracyMetres?: number;
  /** To the order's place, when both are known. */
  distanceMetres?: number;
  uploadedAt: string;
  state: PhotoState;
  /** Smallest first; empty until the photo is ready. */
  variants: Variant[];
  /** Whether WebP and AVIF stand beside the JPEGs. */
  hasModern?: boolean;
  /** Absent when all pictures are made. */
  work?: Work;
  /** In the order of the catalogue. */
  flags: readonly PhotoFlag[];
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
export const widthsFor = (originalWidth: number, widths: readonly number[] = PHOTO_WIDTHS): number[] =>
  widths.filter((_width, index) => index === 0 || widths[index - 1]! < originalWidth);

/** What to show for a requested width; undefined while there is nothing. */
export const variantFor = (photo: Photo, askedWidth: number): Variant | undefined =>
  photo.variants.find((variant) => variant.nominalWidth >= askedWidth) ?? photo.variants.at(-1);

/** @returns the flags with others among them, in the order of the catalogue */
export const withFlags = (flags: readonly PhotoFlag[], more: readonly PhotoFlag[]): PhotoFlag[] =>
  PHOTO_FLAGS.filter((flag) => flags.includes(flag) || more.includes(flag));

const withoutFlag = (flags: readonly PhotoFlag[], gone: PhotoFlag) => flags.filter((flag) => flag !== gone);

/** The same file was sent for something else, too; undefined when that is known. */
export function becomeRepeated(photo: Photo): Change<Photo> | undefined {
  if (photo.flags.includes('used-elsewhere')) return undefined;
  return { document: { ...photo, flags: withFlags(photo.flags, ['used-elsewhere']) } };
}

export const newWork = (step: PictureStep, context: Context, now: Date): Work => ({
  step,
  dueAt: now.toISOString(),
  tries: 0,
  context,
});

/** Its JPEGs are made: the photo can be shown. Undefined when it was ready before. */
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
  // A wrong clock is not shown to donors; the admin sees it with its flag.
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
      coordinates,
      uploadedAt,
      takenAt: isTimely ? takenAt : undefined,
      growthVisitId,
      flags,
    },
  };
  return {
    document: {
      ...photo,
      flags,
      state: 'ready',
      variants: [...variants],
      ...(photo.work && { work: newWork('modern', photo.work.context, now) }),
    },
    // Nobody knew of the photo when it was hidden.
    events: [uploaded, ...(photo.hidden ? [visibilityEvent(photo, photo.hidden)] : [])],
  };
}

/** WebP and AVIF are made, the last step; undefined when they were made before. */
export function becomeModern({ work: _done, ...photo }: Photo): Change<Photo> | undefined {
  return photo.hasModern ? undefined : { document: { ...photo, hasModern: true } };
}

/** Whether the lease is still that of the process that has the photo as `leased`. */
const isLeased = (photo: Photo, leased: Photo): boolean =>
  photo.work?.dueAt !== undefined &&
  photo.work.step === leased.work?.step &&
  photo.work.tries === leased.work.tries;

/** The lease ends at another time: later while its pictures are being made, or when a failed try may be repeated. */
export function moveLease(photo: Photo, leased: Photo, dueAt: Date): Change<Photo> | undefined {
  if (!photo.work || !isLeased(photo, leased)) return undefined;
  return { document: { ...photo, work: { ...photo.work, dueAt: dueAt.toISOString() } } };
}

/** The photo becomes a dead letter. One without a picture is flagged: its worker is asked to take it again. */
export function giveUp(photo: Photo, leased: Photo, error: string, at: Date): Change<Photo> | undefined {
  if (!photo.work || !isLeased(photo, leased)) return undefined;
  const { dueAt: _never, ...work } = photo.work;
  const given = { ...photo, work: { ...work, givenUp: { error, at: at.toISOString() } } };
  if (photo.state !== 'accepted') return { document: given };
  return { document: { ...given, state: 'unshowable', flags: withFlags(photo.flags, ['cannot-be-shown']) } };
}

/** A dead letter is tried again, as often as at first; undefined when it is none. */
export function requeue(photo: Photo, now: Date): Change<Photo> | undefined {
  if (!photo.work?.givenUp) return undefined;
  return { document: { ...photo, work: newWork(photo.work.step, photo.work.context, now) } };
}

/** A dead letter is forgotten: its pictures are never made. Undefined when it is none. */
export function discard({ work, ...photo }: Photo): Change<Photo> | undefined {
  return work?.givenUp ? { document: photo } : undefined;
}

/** Hides a photo from the public or shows it again; undefined when that is decided already. */
export function decideVisibility(photo: Photo, asked: Decision): Change<Photo> | undefined {
  const isDecided = !photo.hidden || photo.hidden.by.role !== 'system';
  if (Boolean(photo.hidden) === asked.isHidden && isDecided) return undefined;
  const decision = { ...asked, at: later(photo.decisions?.at(-1)?.at, asked.at) };
  const { hidden: _before, ...rest } = photo;
  return {
    document: {
      ...rest,
      ...(decision.isHidden && { hidden: decision }),
      decisions: [...(photo.decisions ?? []), decision],
    },
    events: photo.state === 'ready' ? [visibilityEvent(photo, decision)] : [],
  };
}

/** Two decisions of one moment, or of two machines' clocks, have different times all the same. */
const later = (before: string | undefined, now: string): string =>
  before && before >= now ? new Date(Date.parse(before) + 1).toISOString() : now;

function visibilityEvent(photo: Photo, { isHidden, by, reason, at }: Decision): NewEvent {
  const { orderId, assignmentId, _id: photoId, filename } = photo;
  const data = { orderId, assignmentId, photoId, filename, by, reason, at };
  return isHidden ? { type: 'photo.hidden', data } : { type: 'photo.restored', data };
}
