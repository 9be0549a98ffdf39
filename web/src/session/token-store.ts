import type { Role } from '@arboleda/contracts/roles.ts';

/** Why a session ended without a logout: expiry, or revocation by the server. */
export type SessionEnd = 'expired' | 'ended';

/** Each portal's token has its own key: product spec section 3. */
const tokenKey = (role: Role): string => `arboleda.${role}.token`;
const endKey = (role: Role): string => `arboleda.${role}.ended`;

const listeners = new Set<() => void>();
/** Without storage a session lasts as long as the page. */
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

export const readToken = (role: Role): string | null => read(tokenKey(role));

/** Why a portal's last session ended; undefined after a logout and during a session. */
export function readEnd(role: Role): SessionEnd | undefined {
  const end = read(endKey(role));
  return end === 'expired' || end === 'ended' ? end : undefined;
}

/** @param end reason of the missing token, for other windows and the next page */
export function keepToken(role: Role, token: string | null, end: SessionEnd | null = null): void {
  write(endKey(role), token ? null : end);
  write(tokenKey(role), token);
  for (const listener of listeners) listener();
}

export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
