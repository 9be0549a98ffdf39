import type { Dependency } from '@arboleda/chassis/ports/engine.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { PhotoFlag } from '@arboleda/contracts/photo.ts';
import type { Photo, PictureStep } from './photo.ts';

/** Where a page begins, and how long it is. */
export interface Page {
  /** The last photo of the page before: its uploadedAt and _id. */
  after?: readonly [uploadedAt: string, id: string] | undefined;
  limit: number;
}

export interface FlagFilter {
  flag?: PhotoFlag | undefined;
  isHidden?: boolean | undefined;
}

/** Where photos are kept. Both adapters pass one conformance suite: testing/store-conformance.ts. */
export interface PhotoStore extends Dependency {
  get(id: string): Promise<Photo | undefined>;
  /**
   * Reads the photo, decides, and writes it together with its events, which are published afterwards, also after a crash.
   * Decides again when the photo was changed in between, so `decide` must be pure; undefined means no change.
   * With `isNew` the first decision is made without reading.
   * @returns the photo as it is afterwards; undefined when there is none
   * @throws UniqueViolation when another photo has the same clientKey
   */
  change(
    id: string,
    decide: (current: Photo | undefined) => Change<Photo> | undefined,
    options?: { isNew?: boolean },
  ): Promise<Photo | undefined>;
  /** In no order. */
  byFilenames(filenames: readonly string[]): Promise<Photo[]>;
  byClientKey(clientKey: string): Promise<Photo | undefined>;
  /** Photos with these contents, in no order, at most 200. */
  ofFiles(contentHashes: readonly string[]): Promise<Photo[]>;
  /** Of an order, in the order of their upload. */
  ofOrder(orderId: string, page: Page): Promise<Photo[]>;
  /** Flagged photos, newest first. */
  flagged(filter: FlagFilter, page: Page): Promise<Photo[]>;
  /**
   * Takes the photo whose pictures are due for longest, earlier steps first. Nobody else gets it before the lease ends: `dueAt` is
   * then `until`, and `tries` is one more.
   */
  lease(steps: readonly PictureStep[], now: Date, until: Date): Promise<Photo | undefined>;
  /** Dead letters, oldest upload first, at most 1,000. */
  givenUp(): Promise<Photo[]>;
  /** How many photos wait for a step, or are in it; or how many are given up. */
  count(what: PictureStep | 'givenUp'): Promise<number>;
  /** Publishes what is left to publish, and stops. */
  close(): Promise<void>;
}
