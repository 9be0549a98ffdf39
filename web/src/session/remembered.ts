import type { Role } from '@arboleda/contracts/roles.ts';

/** Remembers the person of a token, so that a worker can open the portal offline. */
const keyOf = (role: Role): string => `arboleda.${role}.person`;
/** Identifies a token without storing it again. */
const markOf = (token: string): string => token.slice(-24);

export function rememberPerson(role: Role, token: string, person: object): void {
  try {
    localStorage.setItem(keyOf(role), JSON.stringify({ mark: markOf(token), person }));
  } catch {
    // Without storage the user must log in again.
  }
}

export function forgetPerson(role: Role): void {
  try {
    localStorage.removeItem(keyOf(role));
  } catch {
    // Nothing was stored.
  }
}

export function rememberedPerson<Person>(role: Role, token: string): Person | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(role)) ?? '{}') as { mark?: string; person?: Person };
    return kept.mark === markOf(token) ? kept.person : undefined;
  } catch {
    return undefined;
  }
}
