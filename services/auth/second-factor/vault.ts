import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts second factors, so that the database alone does not reveal them. */
export interface Vault {
  seal(accountId: string, secret: string): Buffer;
  /** @throws an Error when it was sealed with another key, or for another account */
  open(accountId: string, sealed: Buffer): string;
  /** Keyed hash of a recovery code. */
  fingerprint(accountId: string, code: string): Buffer;
}

/** AES-256-GCM and HMAC-SHA-256, with keys derived from one secret. */
export function openVault(key: string): Vault {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, '', `arboleda ${purpose}`, 32));
  return {
    seal(accountId, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derive('second factor'), nonce).setAAD(
        Buffer.from(accountId),
      );
      return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(accountId, sealed) {
      try {
        const nonce = sealed.subarray(0, NONCE_BYTES);
        const decipher = createDecipheriv('aes-256-gcm', derive('second factor'), nonce)
          .setAAD(Buffer.from(accountId))
          .setAuthTag(sealed.subarray(-TAG_BYTES));
        const opened = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([opened, decipher.final()]).toString();
      } catch (cause) {
        throw new Error('AUTH_SECOND_FACTOR_KEY is not what this second factor was kept with', { cause });
      }
    },
    fingerprint: (accountId, code) =>
      createHmac('sha256', derive('recovery codes')).update(`${accountId} ${code}`).digest(),
  };
}
