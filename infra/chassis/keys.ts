import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/**
 * X25519 keys encrypt, Ed25519 keys sign. Variables hold base64 of DER: PKCS8 for private keys, SPKI for public
 * keys.
 */
type KeyType = 'x25519' | 'ed25519';

const NAMES: Record<KeyType, string> = { x25519: 'X25519', ed25519: 'Ed25519' };

/** A new private key, as "openssl genpkey -algorithm ed25519 -outform DER | base64 -w0" prints it. */
export function newKey(type: KeyType): string {
  const { privateKey } = type === 'x25519' ? generateKeyPairSync('x25519') : generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

/** @param privateKey base64 of PKCS8 DER */
export const publicHalfOf = (privateKey: string): string =>
  createPublicKey(createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' }))
    .export({ type: 'spki', format: 'der' })
    .toString('base64');

/** @returns undefined when it is not such a key */
export const readPublicKey = (text: string, type: KeyType): KeyObject | undefined =>
  readKey(type, () => createPublicKey({ key: Buffer.from(text, 'base64'), type: 'spki', format: 'der' }));

const readPrivateKey = (text: string, type: KeyType): KeyObject | undefined =>
  readKey(type, () => createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' }));

function readKey(type: KeyType, read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === type ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Schema of a variable with a private key. */
export const privateKeyOf = (type: KeyType) =>
  keyField(`must be an ${NAMES[type]} private key, as base64 of PKCS8 DER`, (text) =>
    readPrivateKey(text, type),
  );

/** Schema of a variable with a public key. */
export const publicKeyOf = (type: KeyType) =>
  keyField(`must be an ${NAMES[type]} public key, as base64 of SPKI DER`, (text) =>
    readPublicKey(text, type),
  );

/** The message never quotes the value: it may be a key with a typo. */
const keyField = (fault: string, read: (text: string) => KeyObject | undefined) =>
  z.string().transform((text, context) => {
    const key = read(text);
    if (key) return key;
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });
