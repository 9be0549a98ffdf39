import {
  type Endpoint,
  type EndpointKey,
  isForServices,
  isInternal,
  methodOf,
  pathOf,
  rolesOf,
} from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { CALLERS } from '@arboleda/contracts/services.ts';
import { servicePrivateKey, signServiceToken } from '@arboleda/chassis/http/service-token.ts';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PHOTO_FILES } from '../api/fuzz/photo-files.ts';
import { aGift } from '../api/gift.ts';
import { fillPath, hasParameters, type Objects, realParameters } from '../api/objects.ts';
import { putAccount } from '../harness/accounts.ts';
import { waitFor } from '../harness/wait.ts';
import { changedToken, openedToken, scrambled, useTarget } from './target.ts';

jest.setTimeout(90_000);

/** Derived from contracts, so no endpoint is forgotten. */
const ALL = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][]).map(([key, endpoint]) => ({
  key,
  endpoint,
  roles: rolesOf(endpoint.access),
}));
const CLOSED = ALL.filter(({ roles }) => roles.length > 0);
/**
 * A photo's state is found by its random name, and two workers may have sent the same file. Whoever has the link of a gift
 * may take it.
 */
const FOUND_BY_SECRET: readonly EndpointKey[] = [
  'GET /api/workers/photos/{filename}',
  'POST /api/gifts/{token}/claim',
];
/** Endpoints about one person's own object. The last one names it in its body. */
const OWN = CLOSED.filter(
  ({ key, roles }) =>
    (hasParameters(key) && !roles.includes('admin') && !FOUND_BY_SECRET.includes(key)) ||
    key === 'POST /api/payments/create-photo-package-checkout',
);
/** Nobody is to guess what these are about. A redirect leads on, whatever it is asked with. */
const SECRET_LINKS = ALL.filter(
  ({ key, endpoint }) =>
    endpoint.access === 'public' && hasParameters(key) && !endpoint.redirect && !key.includes('{role}'),
);

const target = useTarget();
const { ask, tokens } = target;
const revoked = {} as Record<Role, string>;
beforeAll(async () => {
  for (const role of ROLES) revoked[role] = await revokedToken(role);
});

/** A token from before a password reset. */
async function revokedToken(role: Role): Promise<string> {
  const email = `gone-${role}@security.test`;
  const put = (password: string) =>
    putAccount(target.product, {
      role,
      name: 'Gone',
      email,
      password,
      emailVerified: true,
      ...(role === 'worker' && { worker: { code: 'GO-001', region: 'Chocó', capacityTrees: 1 } }),
    });
  const password = `before-${randomUUID()}`;
  await put(password);
  const { token } = await target.call(`POST /api/auth/${role}/login`, { body: { email, password } });
  await put(`after-${randomUUID()}`);
  return token;
}

/** All but the first three are signed by the right key. */
function refusedTokens(role: Role): [name: string, token: string | undefined][] {
  const changed = (change: object) => changedToken(tokens[role], { ...change }, target.signingKey);
  const { parts } = openedToken(tokens[role]);
  return [
    ['nobody', undefined],
    ['an unreadable token', 'nonsense'],
    ['changed claims', [parts[0], changed({ name: 'Somebody' }).split('.')[1], parts[2]].join('.')],
    ['an expired token', changed({ iat: 1, exp: 2 })],
    ['a token for another audience', changed({ aud: `${role}s` })],
    ['a token of another issuer', changed({ iss: 'somewhere-else' })],
  ];
}

test.each(CLOSED)('$key is closed to everybody who may not call it', async ({ key, roles }) => {
  const [role] = roles as [Role];
  for (const [name, token] of refusedTokens(role))
    expect([name, await ask(key, { token })]).toEqual([name, '401 unauthenticated']);
  // Services learn of ended sessions every few seconds.
  await waitFor('the end of a session to be known', async () => {
    expect(await ask(key, { token: revoked[role] })).toBe('401 unauthenticated');
    return true;
  });
  for (const other of ROLES.filter((one) => !roles.includes(one)))
    expect([other, await ask(key, { token: tokens[other] })]).toEqual([other, '403 forbidden']);
});

test.each(OWN)('$key tells a stranger of the same role nothing', async ({ key, roles: [role] }) => {
  const body = bodyFor(key, target.objects);
  expect(await ask(key, { token: await target.token(role!, 'other'), body })).toBe('404 not-found');
  expect(await ask(key, { token: tokens[role!], body })).not.toMatch(/not-found/);
});

test.each(SECRET_LINKS)('$key leads a guesser nowhere', async ({ key }) => {
  const guessed = Object.entries(realParameters(key, target.objects)).map(([name, value]) => [
    name,
    scrambled(value),
  ]);
  const parameters = Object.fromEntries(guessed) as Record<string, string>;
  expect(await ask(key, { parameters, body: bodyFor(key, target.objects) })).toMatch(/^(400|404|410)/);
});

test.each(ALL.filter(({ key }) => isInternal(pathOf(key))))(
  '$key is not there for people',
  async ({ key }) => {
    for (const prefix of ['', '/api']) {
      const path = prefix + pathOf(key).replace(/\{\w+\}/g, 'x');
      const headers = { Authorization: `Bearer ${tokens.admin}` };
      const response = await fetch(target.product.url + path, { method: methodOf(key), headers });
      await response.arrayBuffer();
      // Outside /api every path is the web app's, which says that there is nothing.
      const isPage = response.headers.get('content-type')?.startsWith('text/html');
      expect([path, isPage || [404, 405].includes(response.status)]).toEqual([path, true]);
    }
  },
);

test.each(ALL.filter(({ endpoint }) => isForServices(endpoint.access)))(
  '$key is for the services that it names',
  async ({ key, endpoint }) => {
    const { services } = endpoint.access as { services: readonly string[] };
    const { serviceKeys, serviceUrls } = target.product;
    const status = async (token: string | undefined) => {
      const isRead = methodOf(key) === 'GET';
      const response = await fetch(serviceUrls[endpoint.service] + fillPath(key, { id: 'unknown' }), {
        method: methodOf(key),
        headers: {
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(!isRead && { 'Content-Type': 'application/json' }),
        },
        // Those who may call get a validation problem.
        body: isRead ? null : '{}',
      });
      await response.arrayBuffer();
      return response.status;
    };
    for (const caller of CALLERS) {
      const own = servicePrivateKey.parse(serviceKeys[caller]);
      const answer = await status(await signServiceToken(own, caller, endpoint.service));
      if (services.includes(caller)) expect([401, 403]).not.toContain(answer);
      else expect([caller, answer]).toEqual([caller, 403]);
      const byAnother = servicePrivateKey.parse(serviceKeys[caller === 'auth' ? 'media' : 'auth']);
      expect(await status(await signServiceToken(byAnother, caller, endpoint.service))).toBe(401);
    }
    for (const token of [undefined, ...Object.values(tokens)]) expect(await status(token)).toBe(401);
  },
);

describe('a valid token where none belongs does not count:', () => {
  test.each([
    ['in the query', (token: string) => ({ query: `?access_token=${token}&token=${token}`, headers: {} })],
    ['in a cookie', (token: string) => ({ query: '', headers: { Cookie: `token=${token}` } })],
    ['in another header', (token: string) => ({ query: '', headers: { 'X-Access-Token': token } })],
    [
      'for a proxy',
      (token: string) => ({ query: '', headers: { 'Proxy-Authorization': `Bearer ${token}` } }),
    ],
  ])('%s', async (_place, made) => {
    const { query, headers } = made(tokens.customer);
    const response = await fetch(`${target.product.url}/api/customers/orders${query}`, { headers });
    await response.arrayBuffer();
    expect(response.status).toBe(401);
  });
});

/** A body that gets past validation, so that the answer is about whose it is. */
function bodyFor(key: EndpointKey, objects: Objects): unknown {
  const { upload } = ENDPOINTS[key as keyof typeof ENDPOINTS] as Endpoint;
  if (!upload) return SHAPED[key]?.(objects);
  const form = new FormData();
  form.append(upload.field, new Blob([new Uint8Array(PHOTO_FILES.webp)]), 'photo.webp');
  return form;
}

const GUESSER = { email: 'guesser@api.test' };
const SHAPED: Partial<Record<EndpointKey, (objects: Objects) => unknown>> = {
  'PUT /api/workers/assignments/{id}/status': () => ({ status: 'planted' }),
  'POST /api/payments/create-photo-package-checkout': ({ orderId }) => ({
    priceId: 'price_lifetime',
    originalOrderId: orderId,
  }),
  'POST /api/track/{token}/receipt': () => GUESSER,
  'POST /api/customers/orders/{id}/certificate': () => ({ name: null, language: 'en' }),
  'POST /api/track/{token}/certificate': () => ({ name: null, language: 'en', ...GUESSER }),
  'POST /api/track/{token}/withdrawal': () => GUESSER,
  'POST /api/track/{token}/withdrawal/retract': () => GUESSER,
  'POST /api/customers/orders/{id}/withdrawal': () => ({}),
  'POST /api/admin/orders/{id}/withdrawal/retract': () => ({ reason: 'They called' }),
  'POST /api/track/{token}/gift': () => GUESSER,
  'PUT /api/track/{token}/gift': () => ({ ...GUESSER, gift: aGift() }),
  'POST /api/track/{token}/gift/send-again': () => GUESSER,
  'POST /api/track/{token}/gift/card': () => GUESSER,
  'PUT /api/customers/orders/{id}/gift': () => ({ gift: aGift() }),
  'POST /api/gifts/{token}/thanks': () => ({ text: 'Thank you!' }),
  'PUT /api/mail/preferences/{token}': () => ({ news: false }),
};
