import {
  type Change,
  type Collection,
  type Documents,
  type Index,
  type Query,
  UniqueViolation,
} from '@arboleda/chassis/ports/documents.ts';
import {
  becomeReady,
  becomeRepeated,
  becomeUnshowable,
  type Decision,
  type Photo,
  type Variant,
} from './photo.ts';
import { batched } from './batch.ts';
import { flagsWith } from './flags.ts';
import { decideVisibility } from './moderation.ts';
import type { PhotoObjects } from './objects.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';

/** Makes what a photo is first looked at by, and tells of it. */
export const VARIANTS_JOB = 'variants';
/** Makes the formats that weigh less, which nobody waits for. */
export const MODERN_JOB = 'modern-formats';

/** A page of an order shows as many. */
const FILENAMES_AT_ONCE = 100;
/** Who sends one file everywhere is found out long before that. */
const MOST_REPEATS = 200;

export interface PhotoStore {
  get(id: string): Promise<Photo | undefined>;
  find(query: Query): Promise<Photo[]>;
  /** As it is now: looked up together with others that are asked for at the same time. */
  byFilename(filename: string): Promise<Photo | undefined>;
  byClientKey(clientKey: string): Promise<Photo | undefined>;
  /** Keeps an original and its photo, durably, with the job that makes it visible. @returns the one kept before, if any. */
  accept(photo: Photo, original: Uint8Array): Promise<Photo>;
  /** Flags all photos of a file that was sent for more than one thing. Once they are kept, none can be missed. */
  markRepeats(photo: Photo): Promise<void>;
  /** Makes the photo ready and tells of it, when its JPEGs are kept; a second time changes nothing. */
  makeReady(photo: Photo, variants: readonly Variant[]): Promise<void>;
  /** Says that no picture can be made of it. */
  makeUnshowable(id: string): Promise<void>;
  /** Says that the newer formats are kept. */
  makeModern(photo: Photo): Promise<void>;
  /** Hides or restores; the same again changes nothing. @returns the photo as it now is, and whether that is new. */
  decide(id: string, decision: Decision): Promise<{ photo: Photo; changed: boolean } | undefined>;
  /** All photos of some files. */
  ofFiles(contentHashes: readonly string[]): Promise<Photo[]>;
  /** Photos whose variants are still to be made. */
  countWaiting(): Promise<number>;
  /** Photos whose newer formats are ordered and not made. */
  countAwaitingModern(): Promise<number>;
}

export const PHOTO_INDEXES: readonly Index[] = [
  { name: 'photos_filename', fields: { filename: 'asc' }, unique: true },
  { name: 'photos_client_key', fields: { clientKey: 'asc' }, unique: true },
  { name: 'photos_content', fields: { contentHash: 'asc' } },
  { name: 'photos_state_modern', fields: { state: 'asc', modern: 'asc' } },
  { name: 'photos_order', fields: { orderId: 'asc', uploadedAt: 'asc', _id: 'asc' } },
  { name: 'photos_flagged', fields: { isFlagged: 'asc', uploadedAt: 'desc', _id: 'desc' } },
];

export async function openPhotoStore(documents: Documents, objects: PhotoObjects): Promise<PhotoStore> {
  const photos: Collection<Photo> = await documents.collection<Photo>({
    name: 'photos',
    indexes: PHOTO_INDEXES,
  });
  const byFilename = batched<Photo>(async (filenames) => {
    const where = { filename: filenames.length === 1 ? filenames[0]! : { in: filenames } };
    const found = await photos.find({ where, limit: filenames.length });
    return new Map(found.map((photo) => [photo.filename, photo]));
  }, FILENAMES_AT_ONCE);
  const repeatsOf = async ({ _id, contentHash }: Photo) =>
    (await store.ofFiles([contentHash])).filter((other) => other._id !== _id);

  const store: PhotoStore = {
    get: (id) => photos.get(id),
    find: (query) => photos.find(query),
    byFilename,
    byClientKey: async (clientKey) => (await photos.find({ where: { clientKey }, limit: 1 }))[0],
    async accept(photo, original) {
      const [before, repeats] = await Promise.all([photos.get(photo._id), repeatsOf(photo)]);
      if (before) return before;
      const document = repeats.length > 0 ? { ...photo, ...flagsWith(photo, ['used-elsewhere']) } : photo;
      // An original whose photo another sending keeps out stays unseen; to remove it could take another's.
      await objects.keepOriginal(photo, original);
      crashPoint('object-stored');
      try {
        const kept = await photos.change(
          photo._id,
          (current) => (current ? undefined : { document, jobs: [jobOf(VARIANTS_JOB, photo)] }),
          { isNew: true },
        );
        return kept!;
      } catch (error) {
        const sentBefore = error instanceof UniqueViolation && photo.clientKey;
        const kept = sentBefore ? await store.byClientKey(sentBefore) : undefined;
        if (!kept) throw error;
        return kept;
      }
    },
    async markRepeats(photo) {
      const repeats = await repeatsOf(photo);
      if (repeats.length === 0) return;
      for (const { _id } of [photo, ...repeats]) {
        await photos.change(_id, (current) => toChange(current && becomeRepeated(current)));
      }
    },
    async makeReady(photo, variants) {
      await photos.change(photo._id, (current) => {
        const change = current && becomeReady(current, variants);
        return change && { ...change, jobs: [jobOf(MODERN_JOB, photo)] };
      });
    },
    async makeUnshowable(id) {
      await photos.change(id, (current) => toChange(current && becomeUnshowable(current)));
    },
    async makeModern(photo) {
      await photos.change(photo._id, (current) =>
        current && current.modern !== 'made' ? { document: { ...current, modern: 'made' } } : undefined,
      );
    },
    async decide(id, decision) {
      let changed = false;
      const photo = await photos.change(id, (current) => {
        const change = current && decideVisibility(current, decision);
        changed = change !== undefined;
        return change;
      });
      return photo && { photo, changed };
    },
    async ofFiles(contentHashes) {
      if (contentHashes.length === 0) return [];
      return photos.find({ where: { contentHash: { in: contentHashes } }, limit: MOST_REPEATS });
    },
    countWaiting: () => photos.count({ state: 'accepted' }),
    countAwaitingModern: () => photos.count({ state: 'ready', modern: 'awaited' }),
  };
  return store;
}

const jobOf = (name: string, { _id }: Photo) => ({ name, payload: { photoId: _id }, key: _id });

const toChange = (document: Photo | undefined): Change<Photo> | undefined => document && { document };
