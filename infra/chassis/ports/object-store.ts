import type { Dependency } from './engine.ts';

export interface ObjectInfo {
  sizeBytes: number;
  contentType: string;
  /** Changes with the content; usable as an HTTP ETag (without quotes). */
  etag: string;
}

/** Stores bytes by key. Keys are paths of [A-Za-z0-9_-./], without "..", at most 200 characters. */
export interface ObjectStore extends Dependency {
  /**
   * Resolves when the bytes would survive a power cut. An existing object is replaced atomically.
   * @param digest SHA-256 in base64url, if the caller knows it: hashing is the most expensive step
   */
  put(key: string, bytes: Uint8Array, contentType: string, digest?: string): Promise<void>;
  /** @param range inclusive, in bytes. @returns undefined when there is no such object */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ info: ObjectInfo; bytes: NodeJS.ReadableStream } | undefined>;
  read(key: string): Promise<Uint8Array | undefined>;
  info(key: string): Promise<ObjectInfo | undefined>;
  /** All objects, or those below `folder`, in no order. Objects stored meanwhile may be missing. */
  list(folder?: string): AsyncIterable<{ key: string; storedAt: Date }>;
  delete(key: string): Promise<void>;
}
