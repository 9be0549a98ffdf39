import type { Role } from '@arboleda/contracts/roles.ts';

/** Who a kept token belonged to when it was last verified: lets a phone without signal in. */
const keyOf = (role: Role): string => `arboleda.${role}.person`;
/** Enough of a token to know it again. */
const markOf = (token: string): string => token.slice(-24);

export function rememberPerson(role: Role, token: string, person: object): void {
  try {
    localStorage.setItem(keyOf(role), JSON.stringify({ mark: markOf(token), person }));
  } catch {
    // A browser that keeps nothing asks for the log-in again.
  }
}

export function forgetPerson(role: Role): void {
  try {
    localStorage.removeItem(keyOf(role));
  } catch {
    // Nothing was kept.
  }
}

/** The person, if it is this token that they were remembered by. */
export function rememberedPerson<Person>(role: Role, token: string): Person | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(role)) ?? '{}') as { mark?: string; person?: Person };
    return kept.mark === markOf(token) ? kept.person : undefined;
  } catch {
    return undefined;
  }
}
