import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Hashes of what there is little of, such as addresses: without the secret nobody finds out by trying them all.
 * @param purpose what they are for; the same text has another hash for another purpose
 */
export function keyedDigest(secret: string, purpose: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `arboleda ${purpose}`, 32));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
