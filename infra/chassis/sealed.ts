import { compactDecrypt, CompactEncrypt } from 'jose';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';

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

/** Base64 of PKCS8 DER, as "openssl genpkey -algorithm x25519 -outform DER | base64 -w0" writes it. */
export const newSealingKey = (): string =>
  generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** Base64 of SPKI DER: what those who seal are given. @param text as newSealingKey makes it */
export const publicHalfOf = (text: string): string =>
  createPublicKey(createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' }))
    .export({ type: 'spki', format: 'der' })
    .toString('base64');

/** As newSealingKey writes it. */
export const sealingPrivateKey = keyField('must be an X25519 private key, as base64 of PKCS8 DER', (der) =>
  createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }),
);

/** As publicHalfOf writes it. */
export const sealingPublicKey = keyField('must be an X25519 public key, as base64 of SPKI DER', (der) =>
  createPublicKey({ key: der, type: 'spki', format: 'der' }),
);

function keyField(fault: string, read: (der: Buffer) => KeyObject) {
  return z.string().transform((text, context) => {
    try {
      const key = read(Buffer.from(text, 'base64'));
      if (key.asymmetricKeyType === 'x25519') return key;
    } catch {
      // What it holds is not told: it may be a key with a mistake in it.
    }
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });
}
