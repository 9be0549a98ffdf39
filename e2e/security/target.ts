import { openClient } from '@arboleda/contracts/client.ts';
import { type EndpointKey, methodOf } from '@arboleda/contracts/endpoint.ts';
import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { beforeAll } from '@jest/globals';
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { fillPath, type Objects, realParameters } from '../api/objects.ts';
import { openPeople } from '../api/people.ts';
import type { Product } from '../harness/product.ts';

/** Given to each test file by the global setup. */
export interface SharedTarget {
  product: Omit<Product, 'callAuth' | 'heapBytes' | 'stop' | 'kill'>;
  objects: Objects;
  signingKey: string;
  tracesUrl: string;
}

/** Connects a test file to the filled product that is running. */
export function useTarget() {
  const shared = JSON.parse(process.env.SECURITY_TARGET!) as SharedTarget;
  const product = { ...shared.product, callAuth: openClient(shared.product.authUrl) };
  const { objects } = shared;
  const call = openClient(product.url);
  const { token } = openPeople(product, call);
  /** Tokens of the objects' owners, by role. */
  const tokens = {} as Record<Role, string>;
  beforeAll(async () => {
    for (const role of ROLES) tokens[role] = await token(role);
  });
  return {
    product,
    objects,
    call,
    token,
    tokens,
    signingKey: createPrivateKey(shared.signingKey),
    /** All that the collector of traces received, as text. */
    traces: async () => (await fetch(shared.tracesUrl)).text(),

    /** @returns status and slug of the answer: "403 forbidden", "200" */
    async ask(
      key: EndpointKey,
      parts: { token?: string | undefined; body?: unknown; parameters?: Record<string, string> } = {},
    ): Promise<string> {
      const { token: sent, body, parameters = realParameters(key, objects) } = parts;
      const leaving = new AbortController();
      const isForm = body instanceof FormData;
      const response = await fetch(product.url + fillPath(key, parameters), {
        method: methodOf(key),
        signal: leaving.signal,
        body: body === undefined || isForm ? (body ?? null) : JSON.stringify(body),
        headers: {
          ...(sent && { Authorization: `Bearer ${sent}` }),
          ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
        },
      });
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
      const type = isProblem ? ` ${((await response.json()) as { type: string }).type}` : '';
      // A stream would go on.
      leaving.abort();
      return response.status + type;
    },
  };
}

/** The right length and alphabet, and yet nobody's. */
export const scrambled = (text: string): string =>
  text.replace(/[a-z0-9]/gi, (character) =>
    /\d/.test(character) ? String((Number(character) + 7) % 10) : character === 'a' ? 'b' : 'a',
  );

type Claims = Record<string, unknown>;

export function openedToken(token: string): { header: Claims; claims: Claims; parts: string[] } {
  const parts = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;
  return { header: read(parts[0]!), claims: read(parts[1]!), parts };
}

/** A token with other claims, rightly signed. */
export function changedToken(token: string, change: Claims, key: KeyObject): string {
  const { header, claims } = openedToken(token);
  const encode = (part: Claims) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const input = `${encode(header)}.${encode({ ...claims, ...change })}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}
