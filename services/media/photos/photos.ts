import { completeEntry } from '@arboleda/chassis/audit/audit.ts';
import { currentContext } from '@arboleda/chassis/context.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import { UniqueViolation } from '@arboleda/chassis/records.ts';
import type { NewEvent } from '@arboleda/contracts/events/index.ts';
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

export type KeptPhotos = Pick<PhotoStore, 'get' | 'change' | 'byFilenames' | 'byClientKey' | 'ofFiles'>;

export interface Photos {
  byFilename(filename: string): Promise<Photo | undefined>;
  /** Stores an original and its photo durably, ready for processing. @returns the existing one, if any */
  accept(photo: Photo, original: Uint8Array): Promise<Photo>;
  /** Flags all photos of a file that was sent for several purposes, including those just stored. */
  markRepeats(photo: Photo): Promise<void>;
  /** Publishes the photo once its JPEGs are stored; idempotent. */
  makeReady(photo: Photo, variants: readonly Variant[]): Promise<void>;
  makeModern(photo: Photo): Promise<void>;
  /** Hides or restores a photo; idempotent. @returns the photo as it is now, and whether it changed */
  decide(id: string, decision: Decision): Promise<{ photo: Photo; changed: boolean } | undefined>;
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
      // If another upload of the photo is first, this original is an orphan: see orphans.ts.
      await objects.keepOriginal(photo, original);
      crashPoint('object-stored');
      const record: Photo = {
        ...photo,
        flags: withFlags(photo.flags, repeats.length > 0 ? ['used-elsewhere'] : []),
        work: newWork('jpeg', currentContext(), now()),
      };
      try {
        const kept = await store.change(photo._id, (current) => (current ? undefined : { record }), {
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
        return change && { ...change, events: [...(change.events ?? []), ...audited(current, decision)] };
      });
      return photo && { photo, changed };
    },
  };
}

/**
 * The entry of the audit log, as an event: a photo and its events are one record in MongoDB, which a row of a log
 * cannot join. Orders adds it to its log.
 */
function audited(before: Photo, { isHidden, at }: Decision): NewEvent[] {
  const entry = completeEntry(
    {
      at,
      object: { type: 'photo', id: before._id },
      orderId: before.orderId,
      before: { hidden: before.hidden !== undefined },
      after: { hidden: isHidden },
      withheld: ['reason'],
    },
    new Date(at),
  );
  return entry ? [{ type: 'audit.recorded', data: { orderId: before.orderId, entry } }] : [];
}
