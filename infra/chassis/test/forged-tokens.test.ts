import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Identity, openIdentity } from '../http/identity.ts';
import { listen } from '../http/server.ts';
import { TEST_SERVICE_KEYS } from '../testing/config.ts';

const own = generateKeyPairSync('ed25519').privateKey;
const stranger = generateKeyPairSync('ed25519').privateKey;
const publicOf = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });

const NOW = Math.floor(Date.now() / 1000);
const HEADER = { alg: 'EdDSA', kid: 'test' };
const CLAIMS = { iss: 'arboleda', aud: 'worker', sub: 'w1', tv: 0, iat: NOW, exp: NOW + 3600 };

type Part = object | string;
const encode = (part: Part) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
/** Signed without a look at what is signed. */
function token(header: Part, claims: Part, key = own): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}
function macToken(header: { alg: string }, secret: string | Buffer): string {
  const input = `${encode(header)}.${encode(CLAIMS)}`;
  const mac = createHmac(`sha${header.alg.slice(2)}`, secret).update(input);
  return `${input}.${mac.digest('base64url')}`;
}

const GOOD = token(HEADER, CLAIMS);
const [head, body, signature] = GOOD.split('.') as [string, string, string];
const by = (claims: object, header: object = {}) => token({ ...HEADER, ...header }, { ...CLAIMS, ...claims });
const without = (name: string) => by({ [name]: undefined });
const unsigned = (header: object, end = '') => `${encode({ ...HEADER, ...header })}.${body}.${end}`;
const strangers = (header: object) => token({ ...HEADER, ...header }, CLAIMS, stranger);
const publicKey = createPublicKey(own);

describe('a session token is refused', () => {
  let identity: Identity;
  let server: Awaited<ReturnType<typeof listen>>;
  let visits = 0;

  beforeAll(async () => {
    const answers: Record<string, object> = {
      '/internal/jwks': { keys: [{ ...publicOf(own), ...HEADER }] },
      '/internal/ended-sessions': { accounts: [], nextCursor: '', more: false },
    };
    server = await listen(
      (request, response) => {
        const answer = answers[new URL(request.url!, 'http://auth').pathname];
        if (!answer) visits += 1;
        const keys = { keys: [{ ...publicOf(stranger), ...HEADER }] };
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer ?? keys));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const jwksUrl = `${server.url}/internal/jwks`;
    identity = openIdentity({ jwksUrl, serviceKeys: TEST_SERVICE_KEYS, service: 'orders' });
    expect(await identity.person(`Bearer ${GOOD}`, ['worker'])).toMatchObject({ id: 'w1' });
  });
  afterAll(() => server.close());

  const isRefused = (authorization: string) =>
    expect(identity.person(authorization, ['worker'])).rejects.toMatchObject({ type: 'unauthenticated' });

  test.each<[string, string]>([
    ...['none', 'None', 'NONE', 'nOnE'].map((alg): [string, string] => [`alg ${alg}`, unsigned({ alg })]),
    ['alg none with the old signature', unsigned({ alg: 'none' }, signature)],
    ['no alg', unsigned({ alg: undefined }, signature)],
    ['another alg over the same signature', unsigned({ alg: 'ES256' }, signature)],
    ...Object.entries({
      'the public key as PEM': publicKey.export({ type: 'spki', format: 'pem' }),
      'the public key as DER': publicKey.export({ type: 'spki', format: 'der' }),
      'the public key as JWK': JSON.stringify(publicOf(own)),
      'the bytes of the public key': Buffer.from(publicOf(own).x!, 'base64url'),
      nothing: '',
    }).flatMap(([name, secret]) =>
      ['HS256', 'HS512'].map((alg): [string, string] => [
        `${alg} by ${name}`,
        macToken({ ...HEADER, alg }, secret),
      ]),
    ),
    ...['../../../dev/null', "x' or '1'='1", 'unknown', '', '\0', 'constructor', '__proto__'].map(
      (kid): [string, string] => [
        `kid ${JSON.stringify(kid)} by nothing`,
        macToken({ alg: 'HS256', kid } as { alg: string }, ''),
      ],
    ),
    ['an unknown kid, rightly signed', by({}, { kid: 'unknown' })],
    ['a kid that is no text', by({}, { kid: 7 })],
    ['a jwk of its own', strangers({ jwk: publicOf(stranger) })],
    ['a jwk of its own and no kid', strangers({ jwk: publicOf(stranger), kid: undefined })],
    ['an x5c of its own', strangers({ x5c: [encode('certificate')] })],
    ['a crit that nobody understands', by({}, { crit: ['arboleda'], arboleda: true })],
    ['crit b64', by({}, { crit: ['b64'], b64: false })],
    ['b64 without crit', unsigned({ b64: false }, signature)],
    ['typ reset+jwt', by({}, { typ: 'reset+jwt' })],
    ['typ at+jwt', by({}, { typ: 'at+jwt' })],
    ...['exp', 'iat', 'sub', 'aud', 'tv', 'iss'].map((name): [string, string] => [
      `no ${name}`,
      without(name),
    ]),
    ['exp as text', by({ exp: String(NOW + 3600) })],
    ['exp null', by({ exp: null })],
    ['exp below zero', by({ exp: -1 })],
    ['exp a second ago', by({ exp: NOW - 1 })],
    ['iat as text', by({ iat: 'today' })],
    ['nbf far ahead', by({ nbf: NOW + 86_400 })],
    ['nbf as text', by({ nbf: '0' })],
    ['aud in capitals', by({ aud: 'WORKER' })],
    ['iss of several', by({ iss: ['arboleda', 'other'] })],
    ['tv as a list', by({ tv: [] })],
    [
      'claims twice',
      `${head}.${encode(JSON.stringify(CLAIMS).replace('{', '{"aud":"admin",'))}.${signature}`,
    ],
    ['claims of another role', `${head}.${encode({ ...CLAIMS, aud: 'admin' })}.${signature}`],
    ['claims that are no JSON', token(HEADER, 'nonsense')],
    ['claims that are a list', token(HEADER, [CLAIMS])],
    ['claims that are null', token(HEADER, 'null')],
    ['a header that is no JSON', token('nonsense', CLAIMS)],
    ['padding', `${GOOD}==`],
    ['a space inside', `${head}.${body} .${signature}`],
    ['a part more', `${GOOD}.${encode({})}`],
    ['letters after it', `${GOOD}AAAA`],
    ['a part of its signature', GOOD.slice(0, -20)],
    ['no signature', `${head}.${body}`],
    ['an empty signature', `${head}.${body}.`],
    ['a signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`],
    ['an encrypted form', `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`],
    ['dots alone', '..'],
    ['a mailed link for a token', 'a'.repeat(43)],
    ['another token behind it', `${GOOD},${GOOD}`],
  ])('with %s', (_what, forged) => isRefused(`Bearer ${forged}`));

  test.each([
    ['by another scheme', `Basic ${GOOD}`],
    ['without a scheme', GOOD],
    ['that is empty', 'Bearer '],
    ['behind the scheme twice', `Bearer Bearer ${GOOD}`],
  ])('%s', (_how, authorization) => isRefused(authorization));

  test('without a look at where it says that its key is', async () => {
    for (const name of ['jku', 'x5u'])
      await isRefused(`Bearer ${strangers({ [name]: `${server.url}/keys`, kid: 'test' })}`);
    expect(visits).toBe(0);
  });
});
