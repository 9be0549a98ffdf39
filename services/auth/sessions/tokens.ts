import { TOKEN_ISSUER } from '@arboleda/chassis/http/identity.ts';
import { calculateJwkThumbprint, exportJWK, type JWK, SignJWT } from 'jose';
import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type Account, claimsOf } from '../account.ts';

const SESSION_SECONDS = 12 * 3600;

export interface Tokens {
  /** A session of 12 h for an account. */
  sign(account: Account): Promise<string>;
  /** What others verify with. */
  publicKeys: JWK[];
}

export async function openTokens(key: KeyObject, clock: () => Date): Promise<Tokens> {
  const publicKey = await exportJWK(createPublicKey(key));
  const kid = await calculateJwkThumbprint(publicKey);
  return {
    publicKeys: [{ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }],
    sign(account) {
      const issuedAt = Math.floor(clock().getTime() / 1000);
      return new SignJWT(claimsOf(account))
        .setProtectedHeader({ alg: 'EdDSA', kid })
        .setIssuer(TOKEN_ISSUER)
        .setAudience(account.role)
        .setSubject(account.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + SESSION_SECONDS)
        .setJti(randomUUID())
        .sign(key);
    },
  };
}
