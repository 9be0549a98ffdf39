import type { SessionEnd } from './token-store.ts';

interface Claims {
  sub?: unknown;
  exp?: unknown;
}

/** Unverified claims of a token; only the server checks the signature. */
function claimsOf(token: string): Claims {
  try {
    const payload = token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/');
    return JSON.parse(atob(payload)) as Claims;
  } catch {
    return {};
  }
}

/** Account id of a token. */
export function ownerOf(token: string): string | undefined {
  const { sub } = claimsOf(token);
  return typeof sub === 'string' ? sub : undefined;
}

/** Whether a refused token expired or was revoked. */
export function endOf(token: string, nowMs: number): SessionEnd {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' && exp * 1000 <= nowMs ? 'expired' : 'ended';
}
