import type { Role } from '@arboleda/contracts/roles.ts';

/** Product spec section 3: tokens of the three portals are kept under separate keys. */
const keyOf = (role: Role): string => `arboleda.${role}.token`;

const listeners = new Set<() => void>();
/** In a browser that keeps nothing, a session lasts as long as the page. */
const unkept = new Map<Role, string>();

/** The token kept for a portal; null when there is none. */
export function readToken(role: Role): string | null {
  try {
    return localStorage.getItem(keyOf(role)) ?? unkept.get(role) ?? null;
  } catch {
    return unkept.get(role) ?? null;
  }
}

export function keepToken(role: Role, token: string | null): void {
  unkept.delete(role);
  try {
    if (token) localStorage.setItem(keyOf(role), token);
    else localStorage.removeItem(keyOf(role));
  } catch {
    if (token) unkept.set(role, token);
  }
  for (const tell of listeners) tell();
}

/** Calls back when a token was kept or dropped, in this window or another one. */
export function onTokenChange(tell: () => void): () => void {
  listeners.add(tell);
  window.addEventListener('storage', tell);
  return () => {
    listeners.delete(tell);
    window.removeEventListener('storage', tell);
  };
}
