import type { Role } from '@arboleda/contracts/roles.ts';

/** Why a session ended without its person wanting it: its time was over, or the server ended it before. */
export type SessionEnd = 'expired' | 'ended';

/** Product spec section 3: tokens of the three portals are kept under separate keys. */
const tokenKey = (role: Role): string => `arboleda.${role}.token`;
const endKey = (role: Role): string => `arboleda.${role}.ended`;

const listeners = new Set<() => void>();
/** In a browser that keeps nothing, a session lasts as long as the page. */
const unkept = new Map<string, string>();

function read(key: string): string | null {
  const here = unkept.get(key);
  if (here !== undefined) return here;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, text: string | null): void {
  unkept.delete(key);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    if (text !== null) unkept.set(key, text);
  }
}

/** The token kept for a portal; null when there is none. */
export const readToken = (role: Role): string | null => read(tokenKey(role));

/** Why the last session of a portal ended; undefined after one's own log-out, and while there is a session. */
export function readEnd(role: Role): SessionEnd | undefined {
  const end = read(endKey(role));
  return end === 'expired' || end === 'ended' ? end : undefined;
}

/** @param end why there is no token any more, for the other windows and the next page as well */
export function keepToken(role: Role, token: string | null, end: SessionEnd | null = null): void {
  write(endKey(role), token ? null : end);
  write(tokenKey(role), token);
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
