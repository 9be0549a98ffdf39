import type { AdminRole } from '@arboleda/contracts/permissions.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import type { Caller, ServiceName } from '@arboleda/contracts/services.ts';
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, jwtVerify } from 'jose';
import type { Logger } from '../log.ts';
import { fetchTwice } from './client.ts';
import { openEndedSessions } from './ended-sessions.ts';
import { type ServiceKeys, verifyServiceToken } from './service-token.ts';
import { areSessionClaims, isPlainToken, type SessionClaims } from './session-claims.ts';

export const TOKEN_ISSUER = 'arboleda';

/** The subject of a token. */
export interface Person {
  role: Role;
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  tokenVersion: number;
  /** Expiry of the token, in seconds of Unix time. */
  expiresAt: number;
  /** Admins only. */
  adminRole?: AdminRole;
  /** When the second factor was last given, in seconds of Unix time; absent without a second factor. */
  secondFactorAt?: number;
}

export interface Identity {
  /**
   * @throws Problem `unauthenticated` for a missing, invalid or expired token, or an ended session; `forbidden` for
   * another role; `unavailable` for an admin while auth cannot be asked about ended sessions
   */
  person(authorization: string | undefined, roles: readonly Role[]): Promise<Person>;
  /**
   * @throws Problem `unauthenticated` without a valid token of a known service; `forbidden` for a service that may
   * not call this endpoint
   */
  service(authorization: string | undefined, callers: readonly Caller[]): Promise<void>;
}

const bearer = (authorization: string | undefined): string => {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!token || !isPlainToken(token)) throw new Problem('unauthenticated');
  return token;
};

/** Verifies tokens with auth's public keys, which are cached, and polls auth for ended sessions. */
export function openIdentity(options: {
  jwksUrl: string;
  serviceKeys: ServiceKeys;
  service: ServiceName;
  logger?: Logger;
  now?: (() => number) | undefined;
}): Identity {
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), {
    timeoutDuration: 2000,
    cooldownDuration: 1000,
    [customFetch]: fetchTwice as FetchImplementation,
  });
  const ended = openEndedSessions({ ...options, authUrl: options.jwksUrl });
  return {
    async person(authorization, roles) {
      const { payload, protectedHeader } = await jwtVerify(bearer(authorization), keys, {
        issuer: TOKEN_ISSUER,
        algorithms: ['EdDSA'],
        requiredClaims: ['exp', 'sub', 'aud', 'tv', 'iat'],
      }).catch(refuse);
      if (!areSessionClaims(protectedHeader, payload, Date.now() / 1000))
        throw new Problem('unauthenticated');
      const claims = payload as unknown as SessionClaims;
      const { aud: role, sub: id, tv: tokenVersion, exp: expiresAt } = claims;
      // For admins, security comes before availability: while auth is unavailable, an ended session must stay ended.
      if (await ended.has(id, tokenVersion, role === 'admin')) throw new Problem('unauthenticated');
      if (!roles.includes(role)) throw new Problem('forbidden');
      return {
        role,
        id,
        name: String(payload.name ?? ''),
        email: String(payload.email ?? ''),
        emailVerified: payload.email_verified === true,
        tokenVersion,
        expiresAt,
        ...(claims.admin_role && { adminRole: claims.admin_role }),
        ...(claims.otp_at !== undefined && { secondFactorAt: claims.otp_at }),
      };
    },
    async service(authorization, callers) {
      const caller = await verifyServiceToken(bearer(authorization), options.service, options.serviceKeys);
      if (!callers.includes(caller)) throw new Problem('forbidden');
    },
  };
}

/** Tells an invalid token (401) from unavailable keys (503), so that an outage of auth logs nobody out. */
function refuse(cause: unknown): never {
  if (isTokenFault(cause)) throw new Problem('unauthenticated', { cause });
  throw new Problem('unavailable', { cause, retryAfterSeconds: 2 });
}

const KEYS_FAULTS = new Set<string>([
  errors.JWKSTimeout.code,
  errors.JWKSInvalid.code,
  // createRemoteJWKSet throws the base class for any status but 200.
  errors.JOSEError.code,
]);

const isTokenFault = (cause: unknown): boolean =>
  cause instanceof errors.JOSEError && !KEYS_FAULTS.has(cause.code);
