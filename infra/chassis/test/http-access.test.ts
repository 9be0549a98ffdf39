import { endpoint } from '@arboleda/contracts/endpoint.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EndedSessions, openEndedSessions } from '../http/ended-sessions.ts';
import { type Identity, openIdentity } from '../http/identity.ts';
import { statusOf } from '../http/problem.ts';
import { contractRouter } from '../http/router.ts';
import { signServiceToken } from '../http/service-token.ts';
import { listen } from '../http/server.ts';
import type { Logger } from '../log.ts';
import { TEST_SERVICE_KEYS } from '../testing/config.ts';
import { gate } from '../testing/gate.ts';
import { personToken, startTestIdentity, type TestPerson } from '../testing/identity.ts';
import { waitFor } from '../testing/wait.ts';
import { z } from 'zod';
import { startHttp, type TestHttp } from './http-harness.ts';

describe('authorisation', () => {
  let http: TestHttp;

  beforeAll(async () => {
    http = await startHttp({
      'GET /api/public': {},
      'GET /api/worker': { declared: { access: ['worker'] }, handle: async ({ person }) => person },
      'GET /api/both': { declared: { access: ['worker', 'admin'], permission: 'refunds:write' } },
      'POST /api/refunds': {
        declared: {
          access: ['worker', 'admin'],
          permission: 'refunds:write',
          stepUp: true,
          audit: 'refund.made',
          body: z.object({ reason: z.string() }),
        },
        handle: async ({ person }) => ({ by: person!.adminRole }),
      },
      'GET /internal/thing': { declared: { access: { services: ['media', 'operator'] } } },
      'POST /api/worker/body': { declared: { access: ['worker'], maxBodyBytes: 10 } },
    });
  });

  afterAll(() => http.close());

  const call = (path: string, token?: string, scheme = 'Bearer') =>
    http.send('GET', path, { headers: token === undefined ? {} : { Authorization: `${scheme} ${token}` } });

  const status = async (path: string, token?: string) => (await call(path, token)).status;

  const worker = () => personToken({ role: 'worker' });

  describe('a person’s request', () => {
    test('carries the person of the token', async () => {
      const token = await http.identity.token({
        role: 'worker',
        id: 'w1',
        name: 'Ana Núñez',
        email: 'ana@example.com',
        emailVerified: false,
        tokenVersion: 3,
      });
      const person = {
        role: 'worker',
        id: 'w1',
        name: 'Ana Núñez',
        email: 'ana@example.com',
        emailVerified: false,
        tokenVersion: 3,
        expiresAt: decodeJwt(token).exp,
      };
      expect((await call('/api/worker', token)).body).toEqual(person);
      expect((await call('/api/worker', token, 'bearer')).body).toEqual(person);
    });

    test.each([
      ['no token', 401, async () => undefined],
      ['an empty token', 401, async () => ''],
      ['a token that is no token', 401, async () => 'nonsense'],
      [
        'a damaged token',
        401,
        async () =>
          (await http.identity.token({ role: 'worker' }))
            .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
            .replace(/\.(..)/, '.xx'),
      ],
      ['an expired token', 401, () => http.identity.sign(worker().setExpirationTime('-1s'))],
      [
        'a token without an end',
        401,
        () =>
          http.identity.sign(
            new SignJWT({ tv: 0 }).setIssuer('arboleda').setAudience('worker').setSubject('w1'),
          ),
      ],
      [
        'a token without a person',
        401,
        () =>
          http.identity.sign(
            new SignJWT({ tv: 0 }).setIssuer('arboleda').setAudience('worker').setExpirationTime('1h'),
          ),
      ],
      [
        'a token without a version',
        401,
        () =>
          http.identity.sign(
            new SignJWT({})
              .setIssuer('arboleda')
              .setAudience('worker')
              .setSubject('w1')
              .setExpirationTime('1h'),
          ),
      ],
      ['another issuer’s token', 401, () => http.identity.sign(worker().setIssuer('somebody'))],
      ['a token for an unknown role', 401, () => http.identity.sign(worker().setAudience('root'))],
      ['a token for several roles', 401, () => http.identity.sign(worker().setAudience(['worker', 'admin']))],
      [
        'a token nobody signed',
        401,
        async () =>
          new UnsecuredJWT({ tv: 0 })
            .setIssuer('arboleda')
            .setAudience('worker')
            .setSubject('w1')
            .setExpirationTime('1h')
            .encode(),
      ],
      [
        'a token signed by another key',
        401,
        async () =>
          worker()
            .setProtectedHeader({ alg: 'EdDSA', kid: 'test' })
            .sign((await generateKeyPair('EdDSA')).privateKey),
      ],
      [
        'a token of an unknown key',
        401,
        async () =>
          worker()
            .setProtectedHeader({ alg: 'EdDSA', kid: 'other' })
            .sign((await generateKeyPair('EdDSA')).privateKey),
      ],
      [
        'a token signed with the public key as a secret',
        401,
        async () =>
          worker()
            .setProtectedHeader({ alg: 'HS256', kid: 'test' })
            .sign(Buffer.from((await exportJWK(http.identity.publicKey)).x!, 'base64url')),
      ],
      ['a service’s token', 401, () => http.identity.serviceToken('media', 'orders')],
      ['another role’s token', 403, () => http.identity.token({ role: 'customer' })],
      ['its own role’s token', 200, () => http.identity.token({ role: 'worker' })],
    ])('with %s → %i', async (_name, expected, token) => {
      expect(await status('/api/worker', await token())).toBe(expected);
    });

    test('is accepted with one of several roles', async () => {
      expect(await status('/api/both', await http.identity.token({ role: 'admin' }))).toBe(200);
      expect(await status('/api/both', await http.identity.token({ role: 'worker' }))).toBe(200);
      expect(await status('/api/both', await http.identity.token({ role: 'customer' }))).toBe(403);
    });

    test('is rejected before its body is read', async () => {
      const { status } = await http.send('POST', '/api/worker/body', { body: 'x'.repeat(100) });
      expect(status).toBe(401);
    });
  });

  describe('an admin’s request', () => {
    const refund = async (person: Omit<TestPerson, 'role'>, body = JSON.stringify({ reason: 'moved' })) => {
      const token = await http.identity.token({ role: 'admin', ...person });
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const { status, body: answer } = await http.send('POST', '/api/refunds', { headers, body });
      return { status, answer };
    };
    const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

    test.each([
      ['owner', 200],
      ['finance', 200],
      ['coordinator', 403],
      ['support', 403],
      ['auditor', 403],
    ] as const)('as %s → %i', async (adminRole, expected) => {
      const { status, answer } = await refund({ adminRole });
      expect([status, answer]).toMatchObject(
        expected === 200 ? [200, { by: adminRole }] : [403, { type: 'forbidden' }],
      );
    });

    test('without a role in the token is no session', async () => {
      const claims = decodeJwt(await http.identity.token({ role: 'admin' }));
      delete claims.admin_role;
      expect(await status('/api/both', await http.identity.sign(new SignJWT(claims)))).toBe(401);
    });

    test('is asked for the second factor again ten minutes after it was given', async () => {
      expect((await refund({ secondFactorAt: secondsAgo(590) })).status).toBe(200);
      const late = await refund({ secondFactorAt: secondsAgo(601) });
      expect([late.status, late.answer.type]).toEqual([403, 'step-up-required']);
    });

    test('is not asked for a second factor that they do not have', async () => {
      expect((await refund({})).status).toBe(200);
    });

    test('is refused before its body is read', async () => {
      const late = await refund({ secondFactorAt: secondsAgo(601) }, 'nonsense');
      expect(late.answer.type).toBe('step-up-required');
      expect((await refund({ adminRole: 'support' }, 'nonsense')).answer.type).toBe('forbidden');
    });

    test('does not concern the other roles of an endpoint', async () => {
      const token = await http.identity.token({ role: 'worker', secondFactorAt: secondsAgo(601) });
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const { status } = await http.send('POST', '/api/refunds', { headers, body: '{"reason":"moved"}' });
      expect(status).toBe(200);
    });
  });

  test('a service does not start with an endpoint for admins that names no permission', () => {
    const open = { 'GET /api/open': endpoint({ service: 'orders', summary: 'Open', access: ['admin'] }) };
    expect(() => contractRouter(open, {}, {} as Identity)).toThrow(
      'GET /api/open is for admins, but names no permission',
    );
  });

  test('a public endpoint ignores a bad token', async () => {
    expect(await status('/api/public')).toBe(200);
    expect(await status('/api/public', 'nonsense')).toBe(200);
  });

  describe('a service’s request', () => {
    const { privateKey: unknownKey } = generateKeyPairSync('ed25519');

    test.each([
      ['no token', 401, async () => undefined],
      ['a token for this service', 200, () => http.identity.serviceToken('media', 'orders')],
      ['the operator’s token', 200, () => http.identity.serviceToken('operator', 'orders')],
      ['a token of a service that is not named', 403, () => http.identity.serviceToken('payments', 'orders')],
      ['a token of its own', 403, () => http.identity.serviceToken('orders', 'orders')],
      ['a token for another service', 401, () => http.identity.serviceToken('media', 'auth')],
      ['a token by an unknown key', 401, () => signServiceToken(unknownKey, 'media', 'orders')],
      ['a person’s token', 401, () => http.identity.token({ role: 'admin' })],
      ['an expired token', 401, () => serviceToken((token) => token.setExpirationTime('-1s'))],
      ['a token without an end', 401, () => serviceToken((token) => token)],
    ])('with %s → %i', async (_name, expected, token) => {
      expect(await status('/internal/thing', await token())).toBe(expected);
    });
  });

  const serviceToken = (finish: (token: SignJWT) => SignJWT) =>
    finish(new SignJWT({}).setIssuer('media').setAudience('service:orders'))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(TEST_SERVICE_KEYS.own);

  describe('while auth does not serve its keys', () => {
    test.each([
      ['an error', 500, '{}'],
      ['something else', 200, '[]'],
      ['no JSON', 200, '<html>'],
    ])('but with %s, nobody is asked to log in again', async (_name, statusCode, body) => {
      const auth = await listen((_request, response) => response.writeHead(statusCode).end(body), {
        host: '127.0.0.1',
        port: 0,
      });
      const identity = openIdentity({
        jwksUrl: auth.url,
        serviceKeys: TEST_SERVICE_KEYS,
        service: 'orders',
      });
      const token = `Bearer ${await http.identity.token({ role: 'worker' })}`;
      await expect(identity.person(token, ['worker'])).rejects.toMatchObject({ type: 'unavailable' });
      await auth.close();
      await expect(identity.person(token, ['worker'])).rejects.toMatchObject({ type: 'unavailable' });
    });
  });
});

describe('ended sessions', () => {
  const FIVE_SECONDS = 5_000;

  let server: Awaited<ReturnType<typeof listen>>;

  let questions: URL[];

  let answer: (url: URL, response: ServerResponse, request: IncomingMessage) => unknown;

  let now: number;

  let sessions: EndedSessions;

  let warnings: unknown[];

  const page = (accounts: Record<string, number>, nextCursor = 'next', more = false) =>
    JSON.stringify({
      accounts: Object.entries(accounts).map(([id, tokenVersion]) => ({ id, tokenVersion })),
      nextCursor,
      more,
    });

  const says = (text: string, status = 200) => {
    answer = (_url, response) => response.writeHead(status).end(text);
  };

  beforeEach(async () => {
    questions = [];
    warnings = [];
    now = 0;
    says(page({}));
    server = await listen(
      (request, response) => {
        const url = new URL(request.url!, 'http://auth');
        questions.push(url);
        answer(url, response, request);
      },
      { host: '127.0.0.1', port: 0 },
    );
    sessions = openEndedSessions({
      authUrl: server.url,
      serviceKeys: TEST_SERVICE_KEYS,
      service: 'orders',
      logger: { warn: (about: object) => warnings.push(about) } as unknown as Logger,
      now: () => now,
    });
  });

  afterEach(() => server.close());

  describe('a session that auth ended', () => {
    test('is rejected at the first request; a newer session is not', async () => {
      says(page({ ana: 3 }));
      expect(await sessions.has('ana', 2)).toBe(true);
      expect(await sessions.has('ana', 3)).toBe(false);
      expect(await sessions.has('luis', 0)).toBe(false);
    });

    test('is rejected within five seconds, with no more polling than that', async () => {
      expect(await sessions.has('ana', 0)).toBe(false);
      says(page({ ana: 1 }));
      now = FIVE_SECONDS - 1;
      expect(await sessions.has('ana', 0)).toBe(false);
      expect(questions).toHaveLength(1);
      now = FIVE_SECONDS;
      expect(await sessions.has('ana', 0)).toBe(true);
      expect(questions.map((url) => url.searchParams.get('cursor'))).toEqual([null, 'next']);
    });

    test('is polled once for many concurrent requests, which wait for the answer', async () => {
      says(page({ ana: 1 }));
      const known = await Promise.all(Array.from({ length: 20 }, () => sessions.has('ana', 0)));
      expect(known).toEqual(Array(20).fill(true));
      expect(questions).toHaveLength(1);
    });

    test('is rejected at once where the caller must know, also while an older answer is under way', async () => {
      expect(await sessions.has('ana', 0, true)).toBe(false);
      says(page({ ana: 1 }));
      expect(await sessions.has('ana', 0, true)).toBe(true);

      const held = gate();
      answer = async (_url, response) => {
        await held.opened;
        response.end(page({}));
      };
      const before = sessions.has('luis', 0, true);
      await waitFor(() => questions.length === 3);
      const after = Promise.all([sessions.has('luis', 0, true), sessions.has('luis', 0, true)]);
      says(page({ luis: 1 }));
      held.open();
      expect(await before).toBe(false);
      expect(await after).toEqual([true, true]);
      expect(questions).toHaveLength(4);
    });

    test('is found on any page', async () => {
      answer = ({ searchParams }, response) =>
        response.end(searchParams.get('cursor') ? page({ luis: 1 }, 'end') : page({ ana: 1 }, '2', true));
      expect([await sessions.has('ana', 0), await sessions.has('luis', 0)]).toEqual([true, true]);
      expect(questions.map((url) => url.searchParams.get('cursor'))).toEqual([null, '2']);
    });

    test('is forgotten when all its tokens have expired', async () => {
      says(page({ ana: 1 }));
      expect(await sessions.has('ana', 0)).toBe(true);
      says(page({}));
      now = 12 * 3_600_000;
      expect(await sessions.has('ana', 0)).toBe(true);
      now = 13 * 3_600_000;
      expect(await sessions.has('ana', 0)).toBe(false);
    });

    test('is polled with a token of this service', async () => {
      const identity = openIdentity({
        jwksUrl: server.url,
        serviceKeys: TEST_SERVICE_KEYS,
        service: 'auth',
      });
      let authorization: string | undefined;
      answer = (_url, response, request) => {
        authorization = request.headers.authorization;
        response.end(page({}));
      };
      await sessions.has('ana', 0);
      await expect(identity.service(authorization, ['orders'])).resolves.toBeUndefined();
    });
  });

  describe('while auth is unavailable', () => {
    test.each([
      ['answers with an error', () => says('{}', 500)],
      ['answers with something else', () => says('[]')],
      ['answers with no JSON', () => says('<html>')],
      ['hangs up', () => (answer = (_url, response) => response.destroy())],
    ])('and %s, the last answer holds and everybody else may enter', async (_how, fail) => {
      says(page({ ana: 1 }));
      await sessions.has('ana', 0);
      fail();
      now = FIVE_SECONDS;
      expect([await sessions.has('ana', 0), await sessions.has('luis', 0)]).toEqual([true, false]);
      says(page({ luis: 1 }));
      now = 2 * FIVE_SECONDS;
      await waitFor(() => sessions.has('luis', 0));
      expect(await sessions.has('ana', 0)).toBe(true);
    });

    test('a privileged caller is rejected with Retry-After until auth answers again', async () => {
      says(page({ ana: 1 }));
      await sessions.has('ana', 0);
      says('{}', 500);
      now = FIVE_SECONDS;
      await expect(sessions.has('luis', 0, true)).rejects.toMatchObject({
        type: 'unavailable',
        retryAfterSeconds: 5,
      });
      // A session that is known to have ended needs no answer.
      expect(await sessions.has('ana', 0, true)).toBe(true);
      says(page({}));
      expect(await sessions.has('luis', 0, true)).toBe(false);
    });

    test.each([
      ['an admin is refused', 'admin', 503],
      ['a worker goes on', 'worker', 200],
      ['a customer goes on', 'customer', 200],
    ] as const)('%s', async (_what, role, status) => {
      const people = await startTestIdentity();
      const parts = { serviceKeys: TEST_SERVICE_KEYS, service: 'orders' } as const;
      const identity = openIdentity({ ...parts, jwksUrl: people.jwksUrl });
      people.setEndedSessions('unavailable');
      const answer = identity.person(`Bearer ${await people.token({ role })}`, [role]);
      expect(await answer.then(() => 200, statusOf)).toBe(status);
      await people.close();
    });

    test('nobody else waits for it', async () => {
      says('', 500);
      await sessions.has('ana', 0);
      const held = gate();
      answer = async (_url, response) => {
        await held.opened;
        response.end(page({ ana: 1 }));
      };
      now = FIVE_SECONDS;
      expect(await sessions.has('ana', 0)).toBe(false);
      expect(warnings).toHaveLength(1);
      held.open();
      await waitFor(() => sessions.has('ana', 0));
    });
  });

  test('rejects a token of an ended session, but not a newer one of the same person', async () => {
    const people = await startTestIdentity();
    const identity = openIdentity({
      jwksUrl: people.jwksUrl,
      serviceKeys: TEST_SERVICE_KEYS,
      service: 'orders',
    });
    people.endSessions('worker-1', 2);
    const bearer = async (tokenVersion: number) =>
      `Bearer ${await people.token({ role: 'worker', tokenVersion })}`;
    await expect(identity.person(await bearer(1), ['worker'])).rejects.toMatchObject({
      type: 'unauthenticated',
    });
    await expect(identity.person(await bearer(2), ['worker'])).resolves.toMatchObject({ tokenVersion: 2 });
    await people.close();
  });
});
