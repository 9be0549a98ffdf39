import { type Endpoint, type EndpointKey, methodOf, rolesOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { servicePrivateKey, signServiceToken } from '@arboleda/chassis/http/service-token.ts';
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fillPath, realParameters } from '../../api/objects.ts';
import type { Target } from '../frame/target.ts';
import type { Report, Topic } from '../frame/topic.ts';
import { mutationsOf } from './mutations.ts';
import { exportPublic } from './public-key.ts';
import { serviceTokens } from './service-tokens.ts';

/** One GET for people at each service, because each verifies tokens itself. */
const DOORS = [
  ...Map.groupBy(
    (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][]).filter(
      ([key, { access, stream }]) => methodOf(key) === 'GET' && rolesOf(access).length > 0 && !stream,
    ),
    ([, { service }]) => service,
  ),
].map(([service, [first]]) => ({ service, key: first![0], role: rolesOf(first![1].access)[0]! }));

/** A valid token, changed in every way we know, at the door of every service. */
export const tokens: Topic = {
  name: 'tokens',
  async run(target, report) {
    const attacker = await openAttacker();
    try {
      for (const door of DOORS) await atDoor(target, report, door, attacker);
      report.check(
        'no service fetches a key from where a token says',
        attacker.visits() === 0,
        attacker.visits(),
      );
      await elsewhere(target, report);
      await serviceTokens(target, report);
    } finally {
      await attacker.close();
    }
  },
};

async function atDoor(
  target: Target,
  report: Report,
  { service, key, role }: { service: ServiceName; key: EndpointKey; role: Role },
  attacker: Attacker,
): Promise<void> {
  const url = target.filled.product.url + fillPath(key, realParameters(key, target.filled.objects));
  const token = target.tokens[role];
  const mutations = mutationsOf(token, {
    ...target,
    own: attacker,
    serviceToken: await signServiceToken(
      servicePrivateKey.parse(target.filled.product.serviceKeys.orders),
      'orders',
      service,
    ),
    mailedToken: randomBytes(16).toString('base64url'),
  });
  report.note(`${Object.keys(mutations).length} mutations at ${key}`);
  const untouched = await ask(url, `Bearer ${token}`);
  report.check(`${key} opens to the token itself`, untouched.status === 200, untouched);
  for (const [name, authorization] of Object.entries(mutations)) {
    const { status, text } = await ask(url, authorization);
    const isRefused = status === 401 && (JSON.parse(text) as { type: string }).type === 'unauthenticated';
    report.check(`${service}: ${name} is refused`, isRefused, { status, text });
    const leaks = /jose|JW[KST]|signature|claim|stack|at .+:\d+:\d+|127\.0\.0\.1/i.exec(text)?.[0];
    report.check(`${service}: ${name} is told nothing of why`, leaks === undefined, leaks);
  }
  const huge = await ask(url, `Bearer ${'x'.repeat(200_000)}`);
  report.check(`${service}: a huge token is refused`, [400, 401, 431].includes(huge.status), huge.status);
}

/** A valid token where no token belongs. */
async function elsewhere({ filled, tokens: valid }: Target, { check }: Report): Promise<void> {
  const { url } = filled.product;
  const path = '/api/customers/orders';
  const places: [string, string, HeadersInit][] = [
    ['in the query', `${path}?access_token=${valid.customer}&token=${valid.customer}`, {}],
    ['in a cookie', path, { Cookie: `token=${valid.customer}; Authorization=Bearer ${valid.customer}` }],
    [
      'in other headers',
      path,
      { 'X-Access-Token': valid.customer, 'X-Authorization': `Bearer ${valid.customer}` },
    ],
    ['for the proxy', path, { 'Proxy-Authorization': `Bearer ${valid.customer}` }],
  ];
  for (const [place, target, headers] of places) {
    const response = await fetch(url + target, { headers });
    await response.arrayBuffer();
    check(`a token ${place} does not count`, response.status === 401, response.status);
  }
}

async function ask(url: string, authorization: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { headers: { Authorization: authorization } });
  return { status: response.status, text: await response.text() };
}

type Attacker = Awaited<ReturnType<typeof openAttacker>>;

/** A key pair, with a server that publishes its public half. */
async function openAttacker() {
  const { privateKey: signingKey } = generateKeyPairSync('ed25519');
  const publicKey = createPublicKey(signingKey);
  let visits = 0;
  const server = createServer((_request, response) => {
    visits++;
    const jwk = { ...exportPublic(publicKey), kid: 'own', alg: 'EdDSA', use: 'sig' };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    signingKey,
    publicKey,
    visits: () => visits,
    jwksUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
