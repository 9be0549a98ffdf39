import type { ObjectInfo, ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { CONTENT_TYPES, type Format } from '../pictures/formats.ts';
import type { Photo } from './photo.ts';

/** How long a picture that another replica removed or replaced may still be described as before. */
const SEEN_FOR_MS = 10_000;
/** About a kilobyte each. */
const MAX_SEEN = 10_000;

const EXTENSIONS = { jpeg: 'jpg', webp: 'webp', avif: 'avif' } as const satisfies Record<Format, string>;

export const ORIGINALS = 'originals';
/** By the random name of one sending: no later sending of the same file has the same key, so an orphan stays an orphan. */
export const originalKey = ({ filename }: Pick<Photo, 'filename'>): string => `${ORIGINALS}/${filename}`;
export const variantKey = (id: string, nominalWidth: number, format: Format): string =>
  `variants/${id}/${nominalWidth}.${EXTENSIONS[format]}`;

/** One size of a photo in one format. */
export interface Picture {
  nominalWidth: number;
  format: Format;
}

/** The bytes of photos: originals, which are never served, and the pictures made of them. */
export interface PhotoObjects {
  keepOriginal(photo: Photo, bytes: Uint8Array): Promise<void>;
  /** @throws when it is gone. */
  original(photo: Photo): Promise<Uint8Array>;
  keepPicture(photo: Photo, picture: Picture, bytes: Uint8Array): Promise<void>;
  /** @param known If-None-Match: for a version that it names, the answer may be ten seconds old. */
  pictureInfo(photo: Photo, picture: Picture, known?: string): Promise<ObjectInfo | undefined>;
  /** @param part inclusive, bytes. @throws Problem `not-found` */
  pictureBytes(
    photo: Photo,
    picture: Picture,
    part?: { start: number; end: number },
  ): Promise<NodeJS.ReadableStream>;
}

export function photoObjects(objects: ObjectStore, now = () => performance.now()): PhotoObjects {
  const seen = openSeen<ObjectInfo>({ forMs: SEEN_FOR_MS, max: MAX_SEEN, now });
  const keyOf = ({ _id }: Photo, { nominalWidth, format }: Picture) => variantKey(_id, nominalWidth, format);
  return {
    keepOriginal: (photo, bytes) =>
      objects.put(originalKey(photo), bytes, photo.contentType, photo.contentHash),
    async original(photo) {
      const bytes = await objects.read(originalKey(photo));
      if (!bytes) throw new Error(`the original of photo ${photo._id} is gone`);
      return bytes;
    },
    async keepPicture(photo, picture, bytes) {
      const key = keyOf(photo, picture);
      await objects.put(key, bytes, CONTENT_TYPES[picture.format]);
      seen.forget(key);
    },
    async pictureInfo(photo, picture, known) {
      const key = keyOf(photo, picture);
      const before = known === undefined ? undefined : seen.get(key);
      // Only for a caller who has those very bytes: bytes that are sent are described by what they are read from.
      if (before && namesTag(known!, before.etag)) return before;
      const info = await objects.info(key);
      if (info) seen.note(key, info);
      else seen.forget(key);
      return info;
    },
    async pictureBytes(photo, picture, part) {
      const found = await objects.get(keyOf(photo, picture), part);
      if (!found) throw new Problem('not-found');
      return found.bytes;
    },
  };
}

const namesTag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim() === `"${etag}"`);

/** What was seen lately, by key; beyond `max` the oldest is forgotten. */
export interface Seen<T> {
  get(key: string): T | undefined;
  note(key: string, value: T): void;
  forget(key: string): void;
}

export function openSeen<T>(options: { forMs: number; max: number; now: () => number }): Seen<T> {
  const { forMs, max, now } = options;
  // A Map keeps its keys in the order in which they were put in.
  const seen = new Map<string, { value: T; at: number }>();
  return {
    get(key) {
      const found = seen.get(key);
      return found && now() - found.at <= forMs ? found.value : undefined;
    },
    note(key, value) {
      seen.delete(key);
      seen.set(key, { value, at: now() });
      if (seen.size > max) seen.delete(seen.keys().next().value!);
    },
    forget: (key) => void seen.delete(key),
  };
}
