import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** X25519 keys seal, Ed25519 keys sign. In variables they are base64 of DER: PKCS8 of a private, SPKI of a public one. */
type KeyType = 'x25519' | 'ed25519';

const NAMES: Record<KeyType, string> = { x25519: 'X25519', ed25519: 'Ed25519' };

/** A private key, as "openssl genpkey -algorithm ed25519 -outform DER | base64 -w0" writes it. */
export function newKey(type: KeyType): string {
  const { privateKey } = type === 'x25519' ? generateKeyPairSync('x25519') : generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

/** @param privateKey as newKey makes it */
export const publicHalfOf = (privateKey: string): string =>
  createPublicKey(createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' }))
    .export({ type: 'spki', format: 'der' })
    .toString('base64');

/** @returns undefined for anything else */
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

/** A variable that holds a private key. */
export const privateKeyOf = (type: KeyType) =>
  keyField(`must be an ${NAMES[type]} private key, as base64 of PKCS8 DER`, (text) =>
    readPrivateKey(text, type),
  );

/** A variable that holds a public key. */
export const publicKeyOf = (type: KeyType) =>
  keyField(`must be an ${NAMES[type]} public key, as base64 of SPKI DER`, (text) =>
    readPublicKey(text, type),
  );

/** What it holds is not said when it is no key: it may be one with a mistake in it. */
const keyField = (fault: string, read: (text: string) => KeyObject | undefined) =>
  z.string().transform((text, context) => {
    const key = read(text);
    if (key) return key;
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });
