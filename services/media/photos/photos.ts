import { currentContext } from '@arboleda/chassis/context.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import { UniqueViolation } from '@arboleda/chassis/records.ts';
import type { PhotoObjects } from './objects.ts';
import {
  becomeModern,
  becomeReady,
  becomeRepeated,
  type Decision,
  decideVisibility,
  newWork,
  type Photo,
  type Variant,
  withFlags,
} from './photo.ts';
import type { PhotoStore } from './store.ts';

/** What this needs of the store. */
export type KeptPhotos = Pick<PhotoStore, 'get' | 'change' | 'byFilenames' | 'byClientKey' | 'ofFiles'>;

/** What happens to photos. */
export interface Photos {
  byFilename(filename: string): Promise<Photo | undefined>;
  /** Keeps an original and its photo, durably; its pictures are due. @returns the one kept before, if any */
  accept(photo: Photo, original: Uint8Array): Promise<Photo>;
  /** Flags all photos of a file that was sent for more than one thing. It misses none that is kept already. */
  markRepeats(photo: Photo): Promise<void>;
  /** Publishes the photo, once its JPEGs are stored; a second time changes nothing. */
  makeReady(photo: Photo, variants: readonly Variant[]): Promise<void>;
  /** Its newer formats are stored. */
  makeModern(photo: Photo): Promise<void>;
  /** Hides or restores; the same again changes nothing. @returns the photo as it now is, and whether that is new */
  decide(id: string, decision: Decision): Promise<{ photo: Photo; changed: boolean } | undefined>;
  /** All photos of some files. */
  ofFiles(contentHashes: readonly string[]): Promise<Photo[]>;
}

export function openPhotos(store: KeptPhotos, objects: PhotoObjects, now = () => new Date()): Photos {
  const ofFiles = async (contentHashes: readonly string[]) =>
    contentHashes.length === 0 ? [] : store.ofFiles(contentHashes);
  const repeatsOf = async ({ _id, contentHash }: Photo) =>
    (await ofFiles([contentHash])).filter((other) => other._id !== _id);

  return {
    byFilename: async (filename) => (await store.byFilenames([filename]))[0],
    ofFiles,

    async accept(photo, original) {
      const [before, repeats] = await Promise.all([store.get(photo._id), repeatsOf(photo)]);
      if (before) return before;
      // An original whose photo is kept out by another sending is swept later: see orphans.ts.
      await objects.keepOriginal(photo, original);
      crashPoint('object-stored');
      const document: Photo = {
        ...photo,
        flags: withFlags(photo.flags, repeats.length > 0 ? ['used-elsewhere'] : []),
        work: newWork('jpeg', currentContext(), now()),
      };
      try {
        const kept = await store.change(photo._id, (current) => (current ? undefined : { document }), {
          isNew: true,
        });
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
      for (const { _id } of [photo, ...repeats])
        await store.change(_id, (current) => current && becomeRepeated(current));
    },

    async makeReady({ _id }, variants) {
      await store.change(_id, (current) => current && becomeReady(current, variants, now()));
    },

    async makeModern({ _id }) {
      await store.change(_id, (current) => current && becomeModern(current));
    },

    async decide(id, decision) {
      let changed = false;
      const photo = await store.change(id, (current) => {
        const change = current && decideVisibility(current, decision);
        changed = change !== undefined;
        return change;
      });
      return photo && { photo, changed };
    },
  };
}
