import { compactDecrypt, CompactEncrypt } from 'jose';
import type { KeyObject } from 'node:crypto';

/*
 * Secrets in events are encrypted to one service's X25519 key as a JWE (RFC 7516, ECDH-ES with A256GCM). The
 * recipient is encrypted too, so a copy in another event cannot be sent to somebody else.
 */

const HEADER = { alg: 'ECDH-ES', enc: 'A256GCM' };
const ALLOWED = { keyManagementAlgorithms: [HEADER.alg], contentEncryptionAlgorithms: [HEADER.enc] };

/** @param recipient whom the text is for; unsealing needs the same */
export const seal = (text: string, recipient: string, publicKey: KeyObject): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify([recipient, text])))
    .setProtectedHeader(HEADER)
    .encrypt(publicKey);

/** @throws an Error when it was sealed for another recipient or key */
export async function unseal(sealed: string, recipient: string, privateKey: KeyObject): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, privateKey, ALLOWED);
  const [sealedFor, text] = JSON.parse(new TextDecoder().decode(plaintext)) as [string, string];
  if (sealedFor !== recipient) throw new Error('what was sealed is for somebody else');
  return text;
}
