import type { Driver } from '../../../driver/driver.ts';
import type { Told } from './told.ts';

/** Everything that the clients of a run need. */
export interface Line {
  /** Repeats calls that get no answer. */
  driver: Driver;
  tokens: { admin: string; customer: string; workers: readonly string[] };
  /** Whose orders get growth packages. */
  customerEmail: string;
  /** Files as telephones make them. */
  files: { photo: Uint8Array; evidence: Uint8Array };
  told: Told;
}

/** The same picture in another file: a comment behind the JPEG's first marker (ITU T.81, B.2.4.5). */
export const withComment = (jpeg: Uint8Array, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(commentedParts(jpeg, text)));

/** The same without copying: parts that follow one another. */
export function commentedParts(jpeg: Uint8Array, text: string): Uint8Array[] {
  const comment = Buffer.from(text);
  const marker = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff]);
  return [jpeg.subarray(0, 2), marker, comment, jpeg.subarray(2)];
}
