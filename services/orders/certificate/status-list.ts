import { gzipSync } from 'node:zlib';

/** Bits of one list, the minimum of the standard: a verifier that fetches a list does not reveal which certificate it checks. */
export const LIST_BITS = 131_072;

/** The place of a version's state: a set bit means superseded or revoked. */
export interface StatusEntry {
  list: number;
  index: number;
}

/** @param number of the version among all that were ever issued, from 0 */
export const statusEntryOf = (number: number): StatusEntry => ({
  list: Math.floor(number / LIST_BITS),
  index: number % LIST_BITS,
});

export const statusListUrl = (siteUrl: string, list: number): string =>
  new URL(`/api/certificate-status/${list}`, siteUrl).href;

/** Multibase base64url of the compressed bits, the first one leftmost. @param ended indexes within the list */
export function encodedList(ended: readonly number[]): string {
  const bytes = Buffer.alloc(LIST_BITS / 8);
  for (const index of ended) bytes[index >> 3]! |= 0x80 >> (index & 7);
  return `u${gzipSync(bytes).toString('base64url')}`;
}
