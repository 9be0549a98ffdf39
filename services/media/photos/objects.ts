import type { ObjectInfo, ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { CONTENT_TYPES, type Format } from '../pictures/formats.ts';
import type { Photo } from './photo.ts';

const EXTENSIONS = { jpeg: 'jpg', webp: 'webp', avif: 'avif' } as const satisfies Record<Format, string>;

export const ORIGINALS = 'originals';
/** Uses the random name of one upload: no later upload has the same key, so an orphan stays an orphan. */
export const originalKey = ({ filename }: Pick<Photo, 'filename'>): string => `${ORIGINALS}/${filename}`;
const variantKey = (id: string, nominalWidth: number, format: Format): string =>
  `variants/${id}/${nominalWidth}.${EXTENSIONS[format]}`;

export interface Picture {
  nominalWidth: number;
  format: Format;
}

/** The bytes of photos: originals, which are never served, and the pictures made from them. */
export interface PhotoObjects {
  keepOriginal(photo: Photo, bytes: Uint8Array): Promise<void>;
  /** @throws when it does not exist */
  original(photo: Photo): Promise<Uint8Array>;
  keepPicture(photo: Photo, picture: Picture, bytes: Uint8Array): Promise<void>;
  pictureInfo(photo: Photo, picture: Picture): Promise<ObjectInfo | undefined>;
  /** @param part inclusive, bytes. @throws Problem `not-found` */
  pictureBytes(
    photo: Photo,
    picture: Picture,
    part?: { start: number; end: number },
  ): Promise<NodeJS.ReadableStream>;
}

export function photoObjects(objects: ObjectStore): PhotoObjects {
  const keyOf = ({ _id }: Photo, { nominalWidth, format }: Picture) => variantKey(_id, nominalWidth, format);
  return {
    keepOriginal: (photo, bytes) =>
      objects.put(originalKey(photo), bytes, photo.contentType, photo.contentHash),
    async original(photo) {
      const bytes = await objects.read(originalKey(photo));
      if (!bytes) throw new Error(`the original of photo ${photo._id} is gone`);
      return bytes;
    },
    keepPicture: (photo, picture, bytes) =>
      objects.put(keyOf(photo, picture), bytes, CONTENT_TYPES[picture.format]),
    pictureInfo: (photo, picture) => objects.info(keyOf(photo, picture)),
    async pictureBytes(photo, picture, part) {
      const found = await objects.get(keyOf(photo, picture), part);
      if (!found) throw new Problem('not-found');
      return found.bytes;
    },
  };
}
