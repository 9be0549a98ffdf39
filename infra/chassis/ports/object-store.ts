import type { Dependency } from './engine.ts';

export interface ObjectInfo {
  sizeBytes: number;
  contentType: string;
  /** Changes when the bytes do; usable as an HTTP ETag value (without quotes). */
  etag: string;
}

/** Named bytes. Keys are path-like: [A-Za-z0-9_-./], no "..", at most 200 characters. */
export interface ObjectStore extends Dependency {
  /**
   * Resolves when the bytes are durable (survive a power cut). The same key is replaced as a whole.
   * @param digest their SHA-256 in base64url, where the caller knows it: it takes longer to make than most of the rest
   */
  put(key: string, bytes: Uint8Array, contentType: string, digest?: string): Promise<void>;
  /** `range` is inclusive, bytes. @returns undefined when there is no such object. */
  get(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ info: ObjectInfo; bytes: NodeJS.ReadableStream } | undefined>;
  read(key: string): Promise<Uint8Array | undefined>;
  info(key: string): Promise<ObjectInfo | undefined>;
  /** Every object whose key begins with `folder` and a slash, or all of them, in no order; those stored meanwhile may be left out. */
  list(folder?: string): AsyncIterable<{ key: string; storedAt: Date }>;
  delete(key: string): Promise<void>;
}
