import {
  type Endpoint,
  type EndpointKey,
  isInternal,
  methodOf,
  pathOf,
  rolesOf,
} from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { hasParameters, realParameters } from '../../api/objects.ts';
import type { Target } from '../frame/target.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { adminRoles } from './admin-roles.ts';
import { bodyFor } from './bodies.ts';
import { ENDED_SESSION, refusedTokens } from './refused-tokens.ts';
import { scrambled, send } from './send.ts';

/** Derived from contracts, so no endpoint is forgotten. */
const ALL = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][]).map(([key, { access }]) => ({
  key,
  access,
}));
const CLOSED = ALL.flatMap(({ key, access }) =>
  rolesOf(access).length === 0 ? [] : [{ key, roles: rolesOf(access) }],
);
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
/** Nobody is to guess what these are about. */
const SECRET_PATHS = ALL.filter(({ key, access }) => access === 'public' && hasParameters(key));

/** Calls every endpoint as everybody who may not. */
export const access: Topic = {
  name: 'access',
  async run(target, report) {
    const refused = await refusedTokens(target);
    for (const { key, roles } of CLOSED) {
      const [role] = roles as [Role];
      for (const [name, token] of refused(role)) await isRefused(target, report, key, name, token, 401);
      for (const other of ROLES.filter((one) => !roles.includes(one))) {
        await isRefused(target, report, key, `a ${other}’s token`, target.tokens[other], 403);
      }
    }
    await adminRoles(target, report);
    await ownThings(target, report);
    await guessedSecrets(target, report);
    await servicesCalls(target, report);
    report.note(
      `${CLOSED.length} closed calls, ${OWN.length} about one’s own, ${SECRET_PATHS.length} secret links`,
    );
  },
};

/** A service asks every 5 s which sessions were ended. */
const HEARD_WITHIN_MS = 60_000;

async function isRefused(
  target: Target,
  { check }: Report,
  key: EndpointKey,
  name: string,
  token: string | undefined,
  status: 401 | 403,
): Promise<void> {
  const until = performance.now() + (name === ENDED_SESSION ? HEARD_WITHIN_MS : 0);
  let answer = await send(target, key, { token });
  while (answer.status !== status && performance.now() < until) answer = await send(target, key, { token });
  const type = status === 401 ? 'unauthenticated' : 'forbidden';
  check(`${key} is closed to ${name}`, answer.status === status && answer.type === type, answer);
}

/** Another of the same role is not told that it is there; its owner is not told that it is not. */
async function ownThings(target: Target, { check }: Report): Promise<void> {
  for (const { key, roles } of OWN) {
    const [role] = roles as [Role];
    const body = bodyFor(key, target.filled.objects);
    const stranger = await send(target, key, { token: await target.filled.token(role, 'other'), body });
    check(
      `${key} tells a stranger nothing`,
      stranger.status === 404 && stranger.type === 'not-found',
      stranger,
    );
    const owner = await send(target, key, { token: target.tokens[role], body });
    check(`${key} knows its owner`, owner.type !== 'not-found', owner);
  }
}

/** The right length and alphabet, and yet nobody's. */
async function guessedSecrets(target: Target, { check }: Report): Promise<void> {
  for (const { key } of SECRET_PATHS) {
    // It leads on, whatever it is asked with; the page behind it says what there is.
    if ((ENDPOINTS as Record<string, Endpoint>)[key]?.redirect) continue;
    const real = realParameters(key, target.filled.objects);
    const guessed = Object.fromEntries(
      Object.entries(real).map(([name, value]) => [name, name === 'role' ? value : scrambled(value)]),
    );
    if ('role' in guessed) continue;
    const answer = await send(target, key, {
      parameters: guessed,
      body: bodyFor(key, target.filled.objects),
    });
    check(`${key} leads a guesser nowhere`, [400, 404, 410].includes(answer.status), answer);
  }
}

/** Internal endpoints do not exist for outside callers, whatever token they send. */
async function servicesCalls(target: Target, { check }: Report): Promise<void> {
  for (const { key } of ALL.filter((one) => isInternal(pathOf(one.key)))) {
    for (const prefix of ['', '/api']) {
      const path = prefix + pathOf(key).replace(/\{\w+\}/g, 'x');
      const response = await fetch(target.filled.product.url + path, {
        method: methodOf(key),
        headers: { Authorization: `Bearer ${target.tokens.admin}` },
      });
      // Outside /api every path is the web app's, which says that there is nothing.
      const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
      await response.arrayBuffer();
      const holds = isPage || [404, 405].includes(response.status);
      check(`${methodOf(key)} ${path} is not there`, holds, response.status);
    }
  }
}
