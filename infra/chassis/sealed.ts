import { compactDecrypt, CompactEncrypt } from 'jose';
import type { KeyObject } from 'node:crypto';

/*
 * What only one service may read travels sealed: a JWE (RFC 7516, ECDH-ES with A256GCM) to that service's X25519 key.
 * It is sealed together with whom it is for, so that nobody who copies it into an event of their own gets it mailed.
 */

const HEADER = { alg: 'ECDH-ES', enc: 'A256GCM' };
const ALLOWED = { keyManagementAlgorithms: [HEADER.alg], contentEncryptionAlgorithms: [HEADER.enc] };

/** @param recipient whom the text is for; opening it needs the same */
export const seal = (text: string, recipient: string, publicKey: KeyObject): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify([recipient, text])))
    .setProtectedHeader(HEADER)
    .encrypt(publicKey);

/** @throws an Error when it was sealed for another recipient, or to another key */
export async function unseal(sealed: string, recipient: string, privateKey: KeyObject): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, privateKey, ALLOWED);
  const [sealedFor, text] = JSON.parse(new TextDecoder().decode(plaintext)) as [string, string];
  if (sealedFor !== recipient) throw new Error('what was sealed is for somebody else');
  return text;
}
