import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ObjectInfo } from '../../ports/object-store.ts';

/**
 * One object is one file, so that one rename makes it visible whole: its bytes, then a trailer of fixed length that
 * says what they are. Being last, the trailer leaves a photo readable to any viewer.
 */
const TRAILER_BYTES = 256;

interface Trailer {
  contentType: string;
  etag: string;
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** @throws RangeError when the content type is too long to be one. */
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
