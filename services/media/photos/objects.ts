import type { ObjectInfo, ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { CONTENT_TYPES, type Format } from '../pictures/formats.ts';
import type { Photo } from './photo.ts';
import { openSeen } from './seen.ts';

/** How long a picture that was removed or made anew, by another replica, may still be said to be what it was. */
const SEEN_FOR_MS = 10_000;
/** About a kilobyte each. */
const MAX_SEEN = 10_000;

const EXTENSIONS = { jpeg: 'jpg', webp: 'webp', avif: 'avif' } as const satisfies Record<Format, string>;

export const originalKey = (id: string): string => `originals/${id}`;
export const variantKey = (id: string, nominalWidth: number, format: Format): string =>
  `variants/${id}/${nominalWidth}.${EXTENSIONS[format]}`;

/** One size of a photo in one format. */
export interface Picture {
  nominalWidth: number;
  format: Format;
}

/** The bytes of photos: originals, which nobody is shown, and the pictures made of them. */
export interface PhotoObjects {
  keepOriginal(photo: Photo, bytes: Uint8Array): Promise<void>;
  /** @throws when it is gone. */
  original(photo: Photo): Promise<Uint8Array>;
  keepPicture(photo: Photo, picture: Picture, bytes: Uint8Array): Promise<void>;
  /** @param known If-None-Match: of a version that it names, what was seen a moment ago is told again. */
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
    keepOriginal: ({ _id, contentType, contentHash }, bytes) =>
      objects.put(originalKey(_id), bytes, contentType, contentHash),
    async original({ _id }) {
      const bytes = await objects.read(originalKey(_id));
      if (!bytes) throw new Error(`the original of photo ${_id} is gone`);
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
      // Only to who has those very bytes: what is sent is described by what it is sent from.
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
