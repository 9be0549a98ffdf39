import type { Collection, Documents } from '@arboleda/chassis/ports/documents.ts';
import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { becomeReady, originalKey, type Photo, type Variant, variantKey } from './photo.ts';

export const VARIANTS_JOB = 'variants';

export interface PhotoStore {
  get(id: string): Promise<Photo | undefined>;
  byFilename(filename: string): Promise<Photo | undefined>;
  /** Keeps an original and its photo, durably, with the job that makes it visible. @returns the one kept before, if any. */
  accept(photo: Photo, original: Uint8Array): Promise<Photo>;
  original(photo: Photo): Promise<Uint8Array>;
  /** Keeps the variants, then makes the photo ready and tells of it; a second time changes nothing. */
  makeReady(photo: Photo, variants: readonly (Variant & { bytes: Buffer })[]): Promise<void>;
  variant(photo: Photo, variant: Variant): ReturnType<ObjectStore['get']>;
  /** Photos whose variants are still to be made. */
  countWaiting(): Promise<number>;
}

export async function openPhotoStore(documents: Documents, objects: ObjectStore): Promise<PhotoStore> {
  const photos: Collection<Photo> = await documents.collection<Photo>({
    name: 'photos',
    indexes: [
      { name: 'photos_filename', fields: { filename: 'asc' }, unique: true },
      { name: 'photos_state', fields: { state: 'asc' } },
    ],
  });
  return {
    get: (id) => photos.get(id),
    async byFilename(filename) {
      const [found] = await photos.find({ where: { filename }, limit: 1 });
      return found;
    },
    async accept(photo, original) {
      const before = await photos.get(photo._id);
      if (before) return before;
      await objects.put(originalKey(photo._id), original, photo.contentType);
      const jobs = [{ name: VARIANTS_JOB, payload: { photoId: photo._id }, key: photo._id }];
      const kept = await photos.change(photo._id, (current) =>
        current ? undefined : { document: photo, jobs },
      );
      return kept!;
    },
    async original(photo) {
      const bytes = await objects.read(originalKey(photo._id));
      if (!bytes) throw new Error(`the original of photo ${photo._id} is gone`);
      return bytes;
    },
    async makeReady(photo, variants) {
      for (const { nominalWidth, bytes } of variants) {
        await objects.put(variantKey(photo._id, nominalWidth), bytes, 'image/jpeg');
      }
      const sizes = variants.map(({ nominalWidth, width, height }) => ({ nominalWidth, width, height }));
      await photos.change(photo._id, (current) => current && becomeReady(current, sizes));
    },
    variant: (photo, { nominalWidth }) => objects.get(variantKey(photo._id, nominalWidth)),
    countWaiting: () => photos.count({ state: 'accepted' }),
  };
}
