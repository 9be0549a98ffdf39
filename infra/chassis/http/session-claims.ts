import { ADMIN_ROLES, type AdminRole } from '@arboleda/contracts/permissions.ts';
import { type Role, ROLES } from '@arboleda/contracts/roles.ts';

/** Lifetime of a session. */
export const SESSION_SECONDS = 12 * 3600;
/** Clock skew between two machines. */
const CLOCKS_SECONDS = 300;

/** Claims of a session token, once its signature is verified. */
export interface SessionClaims {
  aud: Role;
  sub: string;
  /** The token version. */
  tv: number;
  exp: number;
  /** Admins only. */
  admin_role?: AdminRole;
  /** When the second factor was last given, in seconds of Unix time; absent without a second factor. */
  otp_at?: number;
}

/**
 * Whether the claims are a session's: every claim has the type that auth writes, and the token is not from the
 * future or too long-lived. Rejects tokens that the same key signed for other purposes.
 */
export function areSessionClaims(
  header: { typ?: string | undefined },
  claims: Record<string, unknown>,
  nowSeconds: number,
): boolean {
  const { aud, sub, tv, iat, exp, admin_role: adminRole, otp_at: otpAt } = claims;
  return (
    (header.typ === undefined || header.typ === 'JWT') &&
    ROLES.includes(aud as Role) &&
    typeof sub === 'string' &&
    sub !== '' &&
    Number.isSafeInteger(tv) &&
    (aud === 'admin' ? ADMIN_ROLES.includes(adminRole as AdminRole) : adminRole === undefined) &&
    (otpAt === undefined || Number.isSafeInteger(otpAt)) &&
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    iat <= nowSeconds + CLOCKS_SECONDS &&
    exp <= iat + SESSION_SECONDS + CLOCKS_SECONDS
  );
}

/**
 * Whether a token is in canonical form: three parts, no padding, no unused bits set. Otherwise one token would have
 * two spellings, and comparing or counting tokens would fail.
 */
export function isPlainToken(token: string): boolean {
  const signature = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token)?.[1];
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}
