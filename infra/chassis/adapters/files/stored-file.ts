import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ObjectInfo } from '../../ports/object-store.ts';

/**
 * An object is one file, so that a rename makes it visible atomically: its bytes, then a trailer of fixed length
 * with its metadata. Image viewers ignore the trailer.
 */
const TRAILER_BYTES = 256;

interface Trailer {
  contentType: string;
  etag: string;
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** @throws RangeError when the content type does not fit */
export function encodeTrailer(etag: string, contentType: string): Buffer {
  const text = JSON.stringify({ contentType, etag } satisfies Trailer);
  const trailer = Buffer.alloc(TRAILER_BYTES, ' ');
  if (trailer.write(text) < Buffer.byteLength(text)) throw new RangeError('content type too long');
  return trailer;
}

export async function readInfo(file: FileHandle): Promise<ObjectInfo> {
  const sizeBytes = (await file.stat()).size - TRAILER_BYTES;
  const { buffer } = await file.read(Buffer.alloc(TRAILER_BYTES), 0, TRAILER_BYTES, sizeBytes);
  const { contentType, etag } = JSON.parse(buffer.toString()) as Trailer;
  return { sizeBytes, contentType, etag };
}
