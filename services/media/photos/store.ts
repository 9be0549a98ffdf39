import type { Dependency } from '@arboleda/chassis/ports/engine.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { PhotoFlag } from '@arboleda/contracts/photo.ts';
import type { Photo, PictureStep } from './photo.ts';

export interface Page {
  /** The last photo of the previous page: its uploadedAt and _id. */
  after?: readonly [uploadedAt: string, id: string] | undefined;
  limit: number;
}

export interface FlagFilter {
  flag?: PhotoFlag | undefined;
  isHidden?: boolean | undefined;
  orderId?: string | undefined;
  workerId?: string | undefined;
}

/** Storage of photos. Both adapters pass one conformance suite: test/store-conformance.ts. */
export interface PhotoStore extends Dependency {
  get(id: string): Promise<Photo | undefined>;
  /**
   * Reads the photo, decides, and writes it with its events, which are published afterwards, even after a
   * crash.
   * Repeats the decision after a concurrent change, so `decide` must be pure; undefined means no change.
   * `isNew` makes the first decision without reading.
   * @returns the photo as it is now; undefined when there is none
   * @throws UniqueViolation when another photo has the same clientKey
   */
  change(
    id: string,
    decide: (current: Photo | undefined) => Change<Photo> | undefined,
    options?: { isNew?: boolean },
  ): Promise<Photo | undefined>;
  /** Unordered. */
  byFilenames(filenames: readonly string[]): Promise<Photo[]>;
  byClientKey(clientKey: string): Promise<Photo | undefined>;
  /** Photos with these contents, unordered, at most 200. */
  ofFiles(contentHashes: readonly string[]): Promise<Photo[]>;
  ofOrder(orderId: string, page: Page): Promise<Photo[]>;
  /** Newest first. */
  flagged(filter: FlagFilter, page: Page): Promise<Photo[]>;
  /**
   * Leases the photo whose processing is longest overdue, earlier steps first. Until the lease ends nobody
   * else gets it:
   * sets `dueAt` to `until` and increments `tries`.
   */
  lease(steps: readonly PictureStep[], now: Date, until: Date): Promise<Photo | undefined>;
  /** Dead letters, oldest upload first, at most 1,000. */
  givenUp(): Promise<Photo[]>;
  /** Photos that wait for a step or are in it, or dead letters. */
  count(what: PictureStep | 'givenUp'): Promise<number>;
  /** Publishes what is left in the outbox, and stops. */
  close(): Promise<void>;
}
