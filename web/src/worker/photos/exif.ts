import { findExif, readEvidence } from '@arboleda/contracts/exif.ts';
import type { PhotoDetails } from '../outbox/item.ts';

/** Where and when a photo says that it was taken: as the server reads it, since the picture may be made smaller here. */
export function readExif(file: ArrayBuffer, now: Date): PhotoDetails {
  const { takenAt, coordinates } = readEvidence(findExif(new Uint8Array(file)), now);
  return { ...(takenAt && { takenAt }), ...coordinates };
}
