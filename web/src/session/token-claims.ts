import type { SessionEnd } from './token-store.ts';

interface Claims {
  sub?: unknown;
  exp?: unknown;
}

/** What a token says of itself; the server alone decides whether it is true. */
function claimsOf(token: string): Claims {
  try {
    const payload = token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/');
    return JSON.parse(atob(payload)) as Claims;
  } catch {
    return {};
  }
}

/** Id of the account that a token is for. */
export function ownerOf(token: string): string | undefined {
  const { sub } = claimsOf(token);
  return typeof sub === 'string' ? sub : undefined;
}

/** Why a refused token is refused: its time is over, or somebody ended it before. */
export function endOf(token: string, nowMs: number): SessionEnd {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' && exp * 1000 <= nowMs ? 'expired' : 'ended';
}
