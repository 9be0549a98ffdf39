import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type EndpointKey, isInternal, methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { PHOTO_FILES } from '../fuzz/photo-files.ts';
import { fillPath, hasParameters, realParameters } from '../objects.ts';
import { openWorld, type World } from '../world.ts';

/** Calls that some may make: what is in contracts is here, nobody has to remember. */
const CLOSED = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][])
  .filter(([key]) => !isInternal(pathOf(key)))
  .flatMap(([key, { access }]) => (typeof access === 'string' ? [] : [{ key, roles: access }]));
/** Of these, those about a thing that is one person's own. */
const OWN = CLOSED.filter(({ key, roles }) => hasParameters(key) && !roles.includes('admin'));
/** What the product spec calls otherwise than by the path: a body that names somebody's order. */
const OWN_BY_BODY: EndpointKey = 'POST /api/payments/create-photo-package-checkout';

let world: World;
let tokens: Record<Role, string>;

beforeAll(async () => {
  world = await openWorld();
  tokens = {
    customer: await world.token('customer'),
    worker: await world.token('worker'),
    admin: await world.token('admin'),
  };
}, 120_000);
afterAll(() => world?.close());

async function send(key: EndpointKey, token?: string, body?: unknown) {
  const leaving = new AbortController();
  const response = await fetch(
    world.product.url + fillPath(key, realParameters(key, world.objects)),
    {
      method: methodOf(key),
      signal: leaving.signal,
      body: body === undefined || body instanceof FormData ? (body ?? null) : JSON.stringify(body),
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
      },
    },
  );
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const type = isProblem ? ((await response.json()) as { type: string }).type : undefined;
  leaving.abort();
  return { status: response.status, type };
} // prettier-ignore

/** The same token with its claims as they were an hour too long ago: its signature does not fit any more. */
const withClaims = (token: string, change: object): string => {
  const [head, claims, signature] = token.split('.');
  const read = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as object;
  const changed = Buffer.from(JSON.stringify({ ...read, ...change })).toString('base64url');
  return [head, changed, signature].join('.');
};
const UNSIGNED = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;

describe.each(CLOSED)('$key', ({ key, roles }) => {
  const [role] = roles as [Role];
  test.each([
    ['no token', () => undefined],
    ['an unreadable token', () => 'nonsense'],
    ['an unsigned token', () => UNSIGNED],
    ['a token whose claims were changed', () => withClaims(tokens[role], { name: 'Somebody' })],
    ['an expired token', () => withClaims(tokens[role], { exp: 1 })],
  ])('is closed to %s', async (_name, token) => {
    expect(await send(key, token())).toEqual({ status: 401, type: 'unauthenticated' });
  });

  const others = ROLES.filter((one) => !roles.includes(one));
  if (others.length === 0) return;
  test.each(others)('is closed to a %s', async (other) => {
    expect(await send(key, tokens[other])).toEqual({ status: 403, type: 'forbidden' });
  });
});

describe('what is one person’s own cannot be found by another of the same role', () => {
  test.each(OWN)('$key', async ({ key, roles }) => {
    const stranger = await world.token(roles[0]!, 'other');
    const body = bodyOf(key);
    expect(await send(key, stranger, body)).toEqual({ status: 404, type: 'not-found' });
    // The thing is there: its owner is not told that it is not.
    expect((await send(key, tokens[roles[0]!], body)).type).not.toBe('not-found');
  });

  test(OWN_BY_BODY, async () => {
    const body = { priceId: 'price_lifetime', originalOrderId: world.objects.orderId };
    const stranger = await world.token('customer', 'other');
    expect(await send(OWN_BY_BODY, stranger, body)).toEqual({ status: 404, type: 'not-found' });
    expect((await send(OWN_BY_BODY, tokens.customer, body)).type).not.toBe('not-found');
  });
});

/** A body that gets past validation, so that the answer is about whose it is. */
function bodyOf(key: EndpointKey): unknown {
  const { upload }: Endpoint = ENDPOINTS[key as keyof typeof ENDPOINTS];
  if (!upload) return SHAPED[key];
  const form = new FormData();
  form.append(upload.field, new Blob([new Uint8Array(PHOTO_FILES.webp)]), 'photo.webp');
  return form;
}

const SHAPED: Partial<Record<EndpointKey, unknown>> = {
  'PUT /api/workers/assignments/{id}/status': { status: 'planted' },
};
