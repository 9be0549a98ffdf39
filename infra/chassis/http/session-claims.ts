import { type Role, ROLES } from '@arboleda/contracts/roles.ts';

/** A session ends after so long; then its owner shows anew who they are. */
export const SESSION_SECONDS = 12 * 3600;
/** Clocks of two machines may differ by this. */
const CLOCKS_SECONDS = 300;

/** What a token says of a session, once its signature is known to be auth's. */
export interface SessionClaims {
  aud: Role;
  sub: string;
  /** The token version. */
  tv: number;
  exp: number;
}

/**
 * Whether a signed token is one of a session and of nothing else: each claim of the kind that auth writes, made in the
 * past, and for no longer than a session lasts. A key that once signs something else must not open every door.
 */
export function areSessionClaims(
  header: { typ?: string | undefined },
  claims: Record<string, unknown>,
  nowSeconds: number,
): boolean {
  const { aud, sub, tv, iat, exp } = claims;
  return (
    (header.typ === undefined || header.typ === 'JWT') &&
    ROLES.includes(aud as Role) &&
    typeof sub === 'string' &&
    sub !== '' &&
    Number.isSafeInteger(tv) &&
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    iat <= nowSeconds + CLOCKS_SECONDS &&
    exp <= iat + SESSION_SECONDS + CLOCKS_SECONDS
  );
}

/**
 * Whether a token is written in the one way there is: three parts without padding, no unused bits set. Whoever compares
 * or counts tokens as texts must not meet one under two spellings.
 */
export function isPlainToken(token: string): boolean {
  const signature = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token)?.[1];
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
