import { exportPublic, macSecrets } from './public-key.ts';
import { type Claims, encode, macSigned, opened, signed, without } from './forge.ts';
import type { KeyObject } from 'node:crypto';

export interface Keys {
  signingKey: KeyObject;
  publicKey: KeyObject;
  /** A key of the attacker's, and where they show its public half. */
  own: { signingKey: KeyObject; publicKey: KeyObject; jwksUrl: string };
  serviceToken: string;
  /** Token of a mailed link. */
  mailedToken: string;
}

const DAY_SECONDS = 86_400;

/** Every way to change a valid token that we know of: name → what goes into the Authorization header. */
export function mutationsOf(token: string, keys: Keys): Record<string, string> {
  const { header, claims, parts } = opened(token);
  const [head, body, signature] = parts;
  const now = Math.floor(Date.now() / 1000);
  const by = (change: Claims, headerChange: Claims = {}) =>
    signed({ ...header, ...headerChange }, { ...claims, ...change }, keys.signingKey);
  const byOwn = (headerChange: Claims) => signed({ ...header, ...headerChange }, claims, keys.own.signingKey);
  const missing = (name: string) => signed(header, without(claims, name), keys.signingKey);
  const ownJwk = exportPublic(keys.own.publicKey);
  const doubled = JSON.stringify(claims).replace('{', '{"aud":"admin","exp":9999999999,');
  const flipped = Buffer.from(signature, 'base64url');
  flipped[10]! ^= 1;
  const unsigned = (alg: string, end = '') => `${encode({ ...header, alg })}.${body}.${end}`;

  const tokens: Record<string, string> = {
    ...Object.fromEntries(['none', 'None', 'NONE', 'nOnE'].map((alg) => [`alg ${alg}`, unsigned(alg)])),
    'alg none with the old signature': unsigned('none', signature),
    'alg missing': `${encode(without(header, 'alg'))}.${body}.${signature}`,
    ...Object.fromEntries(
      macSecrets(keys.publicKey).flatMap(([name, secret]) =>
        ['HS256', 'HS512'].map((alg) => [`${alg} by ${name}`, macSigned({ ...header, alg }, claims, secret)]),
      ),
    ),
    'alg ES256 over the same signature': `${encode({ ...header, alg: 'ES256' })}.${body}.${signature}`,
    ...Object.fromEntries(
      [
        '../../../../dev/null',
        '/dev/null',
        "x' or '1'='1",
        "x'; select pg_sleep(5)--",
        'unknown',
        '',
        '\0',
        'constructor',
        '__proto__',
      ].map((kid) => [
        `kid ${JSON.stringify(kid)}`,
        macSigned({ ...header, alg: 'HS256', kid } as never, claims, ''),
      ]),
    ),
    'kid unknown, signed by the right key': by({}, { kid: 'unknown' }),
    'kid that is no text': by({}, { kid: 7 }),
    'jku of the attacker': byOwn({ jku: keys.own.jwksUrl }),
    'jku and kid of the attacker': byOwn({ jku: keys.own.jwksUrl, kid: 'own' }),
    'x5u of the attacker': byOwn({ x5u: keys.own.jwksUrl }),
    'jwk of the attacker': byOwn({ jwk: ownJwk }),
    'jwk of the attacker, without kid': signed(
      without({ ...header, jwk: ownJwk }, 'kid'),
      claims,
      keys.own.signingKey,
    ),
    'x5c of the attacker': byOwn({ x5c: [encode('certificate')] }),
    ...Object.fromEntries(
      ['exp', 'iat', 'sub', 'aud', 'tv', 'iss'].map((name) => [`${name} missing`, missing(name)]),
    ),
    'exp as text': by({ exp: String(now + 3600) }),
    'exp over': by({ exp: now - 1 }),
    'exp negative': by({ exp: -1 }),
    'exp null': by({ exp: null }),
    'exp later than any session lasts': by({ exp: now + 400 * DAY_SECONDS }),
    'iat far ahead': by({ iat: now + DAY_SECONDS, exp: now + DAY_SECONDS + 3600 }),
    'iat as text': by({ iat: 'today' }),
    'nbf far ahead': by({ nbf: now + DAY_SECONDS }),
    'nbf as text': by({ nbf: '0' }),
    'aud of nobody': by({ aud: 'superadmin' }),
    'aud of several': by({ aud: ['customer', 'worker', 'admin'] }),
    'aud of a service': by({ aud: 'service:orders' }),
    'aud in capitals': by({ aud: String(claims.aud).toUpperCase() }),
    'iss of another': by({ iss: 'https://arboleda.evil.example' }),
    'iss of several': by({ iss: ['arboleda', 'other'] }),
    'sub empty': by({ sub: '' }),
    'sub that is no text': by({ sub: { $ne: null } }),
    'sub that is a list': by({ sub: [claims.sub] }),
    'tv that is no number': by({ tv: 'NaN' }),
    'tv that is a fraction': by({ tv: 0.5 }),
    'tv that is a list': by({ tv: [] }),
    'typ of another kind': by({}, { typ: 'reset+jwt' }),
    'typ at+jwt': by({}, { typ: 'at+jwt' }),
    'crit that nobody understands': by({}, { crit: ['arboleda'], arboleda: true }),
    'crit b64': by({}, { crit: ['b64'], b64: false }),
    'b64 false without crit, unsigned': `${encode({ ...header, b64: false })}.${body}.${signature}`,
    'claims twice': `${head}.${encode(doubled)}.${signature}`,
    'claims of another role': `${head}.${encode({ ...claims, aud: 'admin', sub: 'admin' })}.${signature}`,
    'claims that are no JSON': signed(header, 'nonsense', keys.signingKey),
    'claims that are a list': signed(header, [claims], keys.signingKey),
    'claims that are null': signed(header, 'null', keys.signingKey),
    'header that is no JSON': signed('nonsense', claims, keys.signingKey),
    padding: `${head}.${body}.${signature}==`,
    'a space inside': `${head}.${body} .${signature}`,
    'data after it': `${token}.${encode('{}')}`,
    'letters after it': `${token}AAAA`,
    'an odd last bit': oddLastBits(token),
    'signature cut': token.slice(0, -20),
    'signature empty': `${head}.${body}.`,
    'signature left out': `${head}.${body}`,
    'signature of zeros': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'signature flipped': `${head}.${body}.${flipped.toString('base64url')}`,
    'signature of another key': signed(header, claims, keys.own.signingKey),
    'encrypted form': `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`,
    'only dots': '..',
    'a service’s token': keys.serviceToken,
    'the token of a mailed link': keys.mailedToken,
    long: by({ name: 'x'.repeat(6_000) }).slice(0, -4),
    'two tokens': `${token},${token}`,
  };
  return {
    ...Object.fromEntries(Object.entries(tokens).map(([name, each]) => [name, `Bearer ${each}`])),
    'another scheme': `Basic ${token}`,
    'no scheme': token,
    'an empty scheme': `Bearer `,
    'a scheme twice': `Bearer Bearer ${token}`,
  };
}

/** The last character of a signature holds four bits that mean nothing: another spelling of the same signature. */
function oddLastBits(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) ^ 1]!;
}
