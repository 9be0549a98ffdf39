import { createHmac, type KeyObject, sign } from 'node:crypto';

export type Claims = Record<string, unknown>;

/** A part of a token. Text is taken as it is: it need not be JSON. */
export const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** Signs by Ed25519 with the given key, without looking at what it signs. */
export function signed(header: unknown, claims: unknown, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

export function macSigned(header: { alg: string }, claims: unknown, secret: string | Buffer): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${createHmac(`sha${header.alg.slice(2)}`, secret)
    .update(input)
    .digest('base64url')}`;
}

export interface Opened {
  parts: [string, string, string];
  header: Claims;
  claims: Claims;
}

export function opened(token: string): Opened {
  const parts = token.split('.') as Opened['parts'];
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;
  return { parts, header: read(parts[0]), claims: read(parts[1]) };
}

export const without = (claims: Claims, name: string): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
