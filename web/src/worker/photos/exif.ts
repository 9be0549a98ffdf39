import { findExif, readEvidence } from '@arboleda/contracts/exif.ts';
import type { PhotoDetails } from '../outbox/item.ts';

/** Place and time from a photo's EXIF. Read before the picture is reduced, with the server's parser. */
export function readExif(file: ArrayBuffer, now: Date): PhotoDetails {
  const { takenAt, coordinates } = readEvidence(findExif(new Uint8Array(file)), now);
  return { ...(takenAt && { takenAt }), ...coordinates };
}
