import { type Endpoint, type EndpointKey, isForServices, methodOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { type Caller, CALLERS } from '@arboleda/contracts/services.ts';
import { servicePrivateKey } from '@arboleda/chassis/http/service-token.ts';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { fillPath } from '../../api/objects.ts';
import type { Target } from '../frame/target.ts';
import type { Report } from '../frame/topic.ts';
import { type Claims, encode, macSigned, signed, without } from './forge.ts';
import { exportPublic, macSecrets } from './public-key.ts';

const CALLS = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][]).flatMap(([key, endpoint]) =>
  isForServices(endpoint.access) ? [{ key, endpoint, services: endpoint.access.services }] : [],
);

/** Every internal call by each caller, and with forged tokens. */
export async function serviceTokens(target: Target, { check, note }: Report): Promise<void> {
  const { serviceKeys, serviceUrls } = target.filled.product;
  const keyOf = (name: Caller) => servicePrivateKey.parse(serviceKeys[name]);
  for (const { key, endpoint, services } of CALLS) {
    const url = serviceUrls[endpoint.service] + fillPath(key, { id: 'unknown-to-everybody' });
    const ask = (token: string | undefined) => askService(url, methodOf(key), token);
    for (const caller of CALLERS) {
      const { status, type } = await ask(signed(HEADER, claimsOf(caller, endpoint), keyOf(caller)));
      if (services.includes(caller)) check(`${key} knows ${caller}`, ![401, 403].includes(status), status);
      else check(`${key} is closed to ${caller}`, status === 403 && type === 'forbidden', { status, type });
    }
    const [allowed] = services as [Caller];
    const forged = forgeriesOf(claimsOf(allowed, endpoint), allowed, keyOf);
    for (const [name, token] of Object.entries({ ...forged, ...target.tokens, nothing: undefined })) {
      const { status, type } = await ask(token);
      const isRefused = status === 401 && type === 'unauthenticated';
      check(`${key} takes ${name} for nobody’s token`, isRefused, { status, type });
    }
  }
  note(`${CALLS.length} calls between services, each by ${CALLERS.length} callers and as many forgers`);
}

const HEADER = { alg: 'EdDSA' };

function claimsOf(iss: Caller, { service }: Endpoint): Claims {
  const now = Math.floor(Date.now() / 1000);
  return { iss, aud: `service:${service}`, iat: now, exp: now + 60 };
}

/** Tokens in the name of a caller who may call, none of them with its key and as it should be. */
function forgeriesOf(
  claims: Claims,
  allowed: Caller,
  keyOf: (name: Caller) => KeyObject,
): Record<string, string> {
  const right = keyOf(allowed);
  const stranger = generateKeyPairSync('ed25519').privateKey;
  const by = (change: Claims) => signed(HEADER, { ...claims, ...change }, right);
  const now = Math.floor(Date.now() / 1000);
  return {
    ...Object.fromEntries(
      CALLERS.filter((name) => name !== allowed).map((name) => [
        `one of ${allowed} by the key of ${name}`,
        signed(HEADER, claims, keyOf(name)),
      ]),
    ),
    'one by an unknown key': signed(HEADER, claims, stranger),
    'one that brings its key': signed(
      { ...HEADER, jwk: exportPublic(createPublicKey(stranger)) },
      claims,
      stranger,
    ),
    'one that is not signed': `${encode({ alg: 'none' })}.${encode(claims)}.`,
    ...Object.fromEntries(
      macSecrets(createPublicKey(right)).map(([name, secret]) => [
        `one by HS256 and ${name}`,
        macSigned({ alg: 'HS256' }, claims, secret),
      ]),
    ),
    'one that is over': by({ exp: now - 1 }),
    'one for another service': by({ aud: 'service:nobody' }),
    'one for people': by({ aud: 'admin' }),
    'one of nobody known': by({ iss: 'gateway' }),
    'one of auth’s people': by({ iss: 'arboleda' }),
    'one of several': by({ iss: [allowed] }),
    ...Object.fromEntries(
      ['iss', 'aud', 'exp'].map((name) => [
        `one without ${name}`,
        signed(HEADER, without(claims, name), right),
      ]),
    ),
  };
}

async function askService(
  url: string,
  method: string,
  token: string | undefined,
): Promise<{ status: number; type: string | undefined }> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
    },
    // Authorised callers get a validation problem.
    body: method === 'GET' ? null : '{}',
  });
  const { type } = (await response.json()) as { type?: string };
  return { status: response.status, type };
}
