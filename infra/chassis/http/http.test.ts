import { email, password, trees } from '@arboleda/contracts/fields.ts';
import { PROBLEM_TYPES, problemError, problemKind } from '@arboleda/contracts/problem-kinds.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Caller } from '@arboleda/contracts/services.ts';
import { describe, expect, test } from '@jest/globals';
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { newKey, publicHalfOf } from '../keys.ts';
import { CallerLeft, withDeadline } from './deadline.ts';
import { problemBody, toProblem } from './problem.ts';
import {
  isOwnKeyKnown,
  newServiceKeys,
  publicKeysOf,
  type ServiceKeys,
  servicePrivateKey,
  servicePublicKeys,
  signAsOperator,
  signServiceToken,
  verifyServiceToken,
} from './service-token.ts';
import { areSessionClaims, isPlainToken, SESSION_SECONDS } from './session-claims.ts';
import { openUploadMemory } from './upload.ts';
import { validate } from './validate.ts';

const newResponse = () => new EventEmitter() as ServerResponse;

const never = () => new Promise<never>(() => {});

test('returns the result of work that ends in time, and removes its listeners', async () => {
  const response = newResponse();
  expect(await withDeadline(response, 1_000, async () => 'done')).toBe('done');
  expect(response.listenerCount('close')).toBe(0);
});

test('rejects when the work fails', async () => {
  const response = newResponse();
  const failing = withDeadline(response, 1_000, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect(response.listenerCount('close')).toBe(0);
});

test('aborts work that takes too long, and answers with a timeout', async () => {
  let received: AbortSignal | undefined;
  const slow = withDeadline(newResponse(), 5, (signal) => {
    received = signal;
    return never();
  });
  await expect(slow).rejects.toMatchObject({ type: 'timeout' });
  expect(received?.aborted).toBe(true);
});

test('aborts work whose caller has left', async () => {
  const response = newResponse();
  let received: AbortSignal | undefined;
  const work = withDeadline(response, 60_000, (signal) => {
    received = signal;
    return never();
  });
  response.emit('close');
  await expect(work).rejects.toBeInstanceOf(CallerLeft);
  expect(received?.aborted).toBe(true);
});

describe('a problem', () => {
  test.each(PROBLEM_TYPES)('%s has a title in both languages', (type) => {
    const english = problemBody(new Problem(type), 'en', 'visit-1');
    const spanish = problemBody(new Problem(type), 'es', 'visit-1');
    expect(english).toEqual({
      type,
      title: problemKind(type).en,
      error: problemError(type, 'en'),
      message: problemError(type, 'en'),
      status: problemKind(type).status,
      correlationId: 'visit-1',
    });
    expect(spanish.title).toBe(problemKind(type).es);
    expect(spanish.title).not.toBe(english.title);
  });

  test.each([
    ['payment-provider-failed', 'Failed to create payment intent.'],
    ['checkout-session-failed', 'Failed to create checkout session'],
    ['transfer-not-created', 'Failed to create manual payment order'],
  ] as const)('%s tells programs the spec’s message, and people what was charged', (type, message) => {
    const { title, ...body } = problemBody(new Problem(type), 'en', 'visit-1');
    expect(body).toMatchObject({ error: message, message });
    expect(title).toMatch(/(nothing was charged|we charged nothing)/i);
    expect(problemBody(new Problem(type), 'es', 'visit-1').title).toMatch(/no (se cobró|cobramos) nada/i);
  });

  test('names each field, with messages for fields and for files', () => {
    const problem = new Problem('photo-damaged', {
      fields: [
        { path: 'photos.1', type: 'photo-damaged' },
        { path: 'name', type: 'required' },
      ],
      detail: 'for us alone',
      cause: new Error('libjpeg'),
    });
    const body = problemBody(problem, 'es', 'visit-1');
    expect(body.errors).toEqual([
      { path: 'photos.1', type: 'photo-damaged', message: 'Esta foto está dañada. Tómala de nuevo.' },
      { path: 'name', type: 'required', message: 'Completa este campo.' },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/for us alone|libjpeg/);
  });
});

describe('an error becomes a problem:', () => {
  test.each([
    ['a refusal itself', new Problem('conflict'), 'conflict'],
    ['a body that is no JSON', { type: 'entity.parse.failed', status: 400 }, 'malformed-json'],
    ['a body that is too large', { type: 'entity.too.large', status: 413 }, 'body-too-large'],
    ['an unknown charset', { type: 'charset.unsupported', status: 415 }, 'unsupported-media-type'],
    [
      'a caller’s mistake of any other kind',
      { type: 'request.size.invalid', status: 400 },
      'malformed-request',
    ],
    ['a path that cannot be decoded', new URIError('%zz'), 'not-found'],
    ['a dependency that is down', Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'unavailable'],
    ['a database that shuts down', Object.assign(new Error(), { code: '57P01' }), 'unavailable'],
    ['a pool that is exhausted', new Error('timeout exceeded when trying to connect'), 'unavailable'],
    ['a mistake in our code', new TypeError('x is not a function'), 'internal'],
    ['a row that breaks a rule', Object.assign(new Error(), { code: '23505' }), 'internal'],
    ['nothing', undefined, 'internal'],
    ['text', 'oops', 'internal'],
  ])('%s', (_name, thrown, type) => {
    expect(toProblem(thrown).type).toBe(type);
  });
});

const schema = z.object({
  email,
  password,
  trees,
  kind: z.enum(['grove', 'patch']),
  name: z.string().trim().min(1).max(5),
  address: z.object({ city: z.string() }),
  tags: z.array(z.string()).max(2),
  agreed: z.literal(true),
  website: z.url().optional(),
});

const right = {
  email: 'ana@example.com',
  password: 'long enough',
  trees: 3,
  kind: 'grove',
  name: 'Ana',
  address: { city: 'Cali' },
  tags: [],
  agreed: true,
};

function faults(value: unknown): string[][] {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof Problem && error.type === 'validation-failed') {
      return error.fields.map(({ path, type }) => [path, type]);
    }
    throw error;
  }
  return [];
}

describe('a value', () => {
  test('that is valid is returned as the schema parses it', () => {
    expect(validate(schema, { ...right, email: ' Ana@Example.COM ', more: 1 })).toEqual(right);
  });

  test.each([
    ['email', undefined, 'required'],
    ['email', null, 'required'],
    ['email', '', 'required'],
    ['email', 'ana', 'invalid-email'],
    ['email', 7, 'invalid'],
    ['email', `${'a'.repeat(250)}@b.co`, 'too-long'],
    ['password', 'short', 'too-short'],
    ['password', '', 'required'],
    ['trees', undefined, 'required'],
    ['trees', '', 'required'],
    ['trees', '3', 'invalid'],
    ['trees', 0, 'too-small'],
    ['trees', -1, 'too-small'],
    ['trees', 1.5, 'not-an-integer'],
    ['trees', 1e9, 'too-big'],
    ['trees', 1e300, 'too-big'],
    ['trees', Number.NaN, 'invalid'],
    ['kind', 'forest', 'unknown-value'],
    ['kind', undefined, 'required'],
    ['name', '   ', 'required'],
    ['name', 'Alejandra', 'too-long'],
    ['tags', ['a', 'b', 'c'], 'too-big'],
    ['tags', 'a', 'invalid'],
    ['agreed', false, 'unknown-value'],
    ['website', 'not a url', 'invalid'],
  ])('of %s that is %j is %s', (field, value, type) => {
    expect(faults({ ...right, [field]: value })).toEqual([[field, type]]);
  });

  test('in a nested object is named with its path', () => {
    expect(faults({ ...right, address: {}, tags: ['a', 7] })).toEqual([
      ['address.city', 'required'],
      ['tags.1', 'invalid'],
    ]);
  });

  test('that is not an object is invalid', () => {
    expect(faults('text')).toEqual([['', 'invalid']]);
    expect(faults(undefined)).toEqual([['', 'required']]);
  });

  test('with ten thousand faults gets a bounded answer', () => {
    const many = z.array(z.string());
    try {
      validate(
        many,
        Array.from({ length: 10_000 }, () => 7),
      );
    } catch (error) {
      expect((error as Problem).fields).toHaveLength(50);
    }
    expect.assertions(1);
  });
});

const NOW = 1_790_000_000;

const claims = { aud: 'customer', sub: 'a-1', tv: 0, iat: NOW, exp: NOW + SESSION_SECONDS };

test('accepts a session token, also by a clock that is ahead', () => {
  expect(areSessionClaims({}, claims, NOW)).toBe(true);
  expect(areSessionClaims({ typ: 'JWT' }, { ...claims, tv: 3 }, NOW - 200)).toBe(true);
  expect(areSessionClaims({}, { ...claims, aud: 'admin', admin_role: 'support', otp_at: NOW }, NOW)).toBe(
    true,
  );
});

describe('rejects a token', () => {
  test.each([
    [{ sub: '' }],
    [{ sub: ['a-1'] }],
    [{ sub: { $ne: null } }],
    [{ aud: ['customer', 'admin'] }],
    [{ aud: 'service:orders' }],
    [{ tv: '0' }],
    [{ tv: 0.5 }],
    [{ tv: undefined }],
    [{ iat: undefined }],
    [{ iat: NOW + 3_600, exp: NOW + 7_200 }],
    [{ exp: NOW + 30 * 86_400 }],
    [{ aud: 'admin' }],
    [{ aud: 'admin', admin_role: 'root' }],
    [{ aud: 'worker', admin_role: 'owner' }],
    [{ aud: 'admin', admin_role: 'owner', otp_at: 'now' }],
  ])('with %j', (change) => {
    expect(areSessionClaims({}, { ...claims, ...change }, NOW)).toBe(false);
  });

  test('of another type', () => {
    expect(areSessionClaims({ typ: 'reset+jwt' }, claims, NOW)).toBe(false);
  });
});

test('accepts only one spelling of a token', () => {
  const signature = Buffer.alloc(64, 7).toString('base64url');
  const plain = `e30.e30.${signature}`;
  const others = [`${plain}=`, `${plain}.e30`, 'e30.e30.', 'e30.e30', `e30.e30.${signature.slice(0, -1)}x`];
  expect([plain, ...others].map(isPlainToken)).toEqual([true, false, false, false, false, false]);
});

describe('service tokens', () => {
  const privateKeys = newServiceKeys();
  const known = servicePublicKeys.parse(publicKeysOf(privateKeys));
  const keyOf = (name: Caller) => servicePrivateKey.parse(privateKeys[name]);
  const pricing = { own: keyOf('pricing'), known };
  const verify = (token: string, keys: ServiceKeys = pricing) => verifyServiceToken(token, 'pricing', keys);
  const claims = (change: JWTPayload = {}, alg = 'EdDSA') =>
    new SignJWT({
      iss: 'payments',
      aud: 'service:pricing',
      exp: Math.floor(Date.now() / 1000) + 60,
      ...change,
    }).setProtectedHeader({ alg });

  test('live one minute, and name caller and callee', async () => {
    const token = await signServiceToken(keyOf('payments'), 'payments', 'pricing');
    const { iss, aud, iat, exp } = decodeJwt(token);
    expect([iss, aud, exp! - iat!]).toEqual(['payments', 'service:pricing', 60]);
    expect(await verify(token)).toBe('payments');
    expect(await verify(await signAsOperator(privateKeys.operator, 'pricing'))).toBe('operator');
  });

  const publicDer = createPublicKey(keyOf('payments')).export({ type: 'spki', format: 'der' });
  const mac = (secret: Uint8Array) => claims({}, 'HS256').sign(secret);
  test.each([
    ['signed by another service', () => claims().sign(keyOf('media'))],
    ['signed by the one who is called', () => claims().sign(keyOf('pricing'))],
    ['signed by a stranger', () => claims().sign(generateKeyPairSync('ed25519').privateKey)],
    ['with the public key as a secret', () => mac(publicDer)],
    ['with the raw public key as a secret', () => mac(publicDer.subarray(-32))],
    ['with the text of the public key as a secret', () => mac(Buffer.from(publicDer.toString('base64')))],
    ['not signed', async () => new UnsecuredJWT(decodeJwt(await claims().sign(keyOf('payments')))).encode()],
    ['for another service', () => claims({ aud: 'service:auth' }).sign(keyOf('payments'))],
    ['for nobody', () => claims({ aud: undefined }).sign(keyOf('payments'))],
    ['of nobody', () => claims({ iss: undefined }).sign(keyOf('payments'))],
    ['of somebody who has no key', () => claims({ iss: 'gateway' }).sign(keyOf('payments'))],
    ['of several', () => claims({ iss: ['payments'] as never }).sign(keyOf('payments'))],
    ['of a property that every object has', () => claims({ iss: '__proto__' }).sign(keyOf('payments'))],
    ['over', () => claims({ exp: 1 }).sign(keyOf('payments'))],
    ['without an end', () => claims({ exp: undefined }).sign(keyOf('payments'))],
    ['no token', async () => 'a.b.c'],
  ])('are rejected when they are %s', async (_what, token) => {
    await expect(verify(await token())).rejects.toMatchObject({ type: 'unauthenticated' });
  });

  test('are accepted by both keys during a key rotation', async () => {
    const next = newKey('ed25519');
    const both = servicePublicKeys.parse(`${publicKeysOf(privateKeys)},payments=${publicHalfOf(next)}`);
    for (const key of [keyOf('payments'), servicePrivateKey.parse(next)])
      expect(await verify(await claims().sign(key), { ...pricing, known: both })).toBe('payments');
  });

  const entry = publicKeysOf(privateKeys).split(',')[0]!;
  test.each([
    ['nothing', ''],
    ['no key', 'auth=nonsense'],
    ['a private key', `auth=${privateKeys.auth}`],
    ['a key of another kind', `auth=${publicHalfOf(newKey('x25519'))}`],
    ['a name nobody has', entry.replace('auth', 'gateway')],
    ['an end that is missing', `${entry},`],
    ['one key of two services', `${entry},${entry.replace('auth', 'orders')}`],
  ])('have public keys that stop the start when there is %s', (_what, text) => {
    const fault = servicePublicKeys.safeParse(text).error!.message;
    expect(fault).toContain('must ');
    if (text.length > 20) expect(fault).not.toContain(text.slice(-20));
  });

  test('are only signed with a key that others accept', () => {
    expect(isOwnKeyKnown(pricing, 'pricing')).toBe(true);
    expect(isOwnKeyKnown(pricing, 'payments')).toBe(false);
    expect(isOwnKeyKnown({ ...pricing, known: new Map() }, 'pricing')).toBe(false);
  });
});

test('uploads share a memory limit, and release memory when they are answered', () => {
  const memory = openUploadMemory(100);
  const [first, second] = [newResponse(), newResponse()];
  const holdFirst = memory.hold(first);
  const holdSecond = memory.hold(second);
  expect(holdFirst(60)).toBe(true);
  expect(holdSecond(50)).toBe(false);
  expect(holdSecond(40)).toBe(true);
  first.emit('close');
  expect(holdSecond(60)).toBe(true);
  expect(holdSecond(1)).toBe(false);
});

test('an answered upload reserves no more memory', () => {
  const memory = openUploadMemory(100);
  const response = newResponse();
  const hold = memory.hold(response);
  response.emit('close');
  expect(hold(10)).toBe(false);
  expect(memory.hold(newResponse())(100)).toBe(true);
});
