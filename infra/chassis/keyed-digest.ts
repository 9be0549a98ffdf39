import { createHmac, hkdfSync } from 'node:crypto';

/**
 * HMAC of values from a small range, such as IP addresses, so that they cannot be found by trying them all.
 * @param purpose separates uses: the same text has another hash for another purpose
 */
export function keyedDigest(secret: string, purpose: string): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `arboleda ${purpose}`, 32));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
