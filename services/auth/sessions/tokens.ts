import { type Person, TOKEN_ISSUER } from '@arboleda/chassis/http/identity.ts';
import { SESSION_SECONDS } from '@arboleda/chassis/http/session-claims.ts';
import { calculateJwkThumbprint, exportJWK, type JWK, SignJWT } from 'jose';
import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type Account, claimsOf } from '../accounts/account.ts';

export interface Tokens {
  /**
   * A session of 12 h, after the owner has authenticated.
   * @param secondFactorAt when they gave their second factor, in seconds of Unix time
   */
  sign(account: Account, secondFactorAt?: number): Promise<string>;
  /** Replaces a session's token; keeps its expiry. */
  renew(
    account: Account,
    former: Pick<Person, 'expiresAt'> & { secondFactorAt?: number | undefined },
  ): Promise<string>;
  publicKeys: JWK[];
}

export async function openTokens(key: KeyObject, clock: () => Date): Promise<Tokens> {
  const publicKey = await exportJWK(createPublicKey(key));
  const kid = await calculateJwkThumbprint(publicKey);
  const signUntil = (
    account: Account,
    issuedAt: number,
    expiresAt: number,
    secondFactorAt: number | undefined,
  ) =>
    new SignJWT({ ...claimsOf(account), ...(secondFactorAt !== undefined && { otp_at: secondFactorAt }) })
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(account.role)
      .setSubject(account.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .setJti(randomUUID())
      .sign(key);
  const nowSeconds = () => Math.floor(clock().getTime() / 1000);

  return {
    publicKeys: [{ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }],
    sign: (account, secondFactorAt) =>
      signUntil(account, nowSeconds(), nowSeconds() + SESSION_SECONDS, secondFactorAt),
    renew: (account, { expiresAt, secondFactorAt }) =>
      signUntil(account, nowSeconds(), expiresAt, secondFactorAt),
  };
}
