import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type EndedSessions, openEndedSessions } from '../http/ended-sessions.ts';
import { openIdentity } from '../http/identity.ts';
import { listen } from '../http/server.ts';
import type { Logger } from '../log.ts';
import { TEST_SERVICE_SECRET } from '../testing/config.ts';
import { gate } from '../testing/gate.ts';
import { startTestIdentity } from '../testing/identity.ts';
import { waitFor } from '../testing/wait.ts';

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
    serviceSecret: TEST_SERVICE_SECRET,
    service: 'orders',
    logger: { warn: (about: object) => warnings.push(about) } as unknown as Logger,
    now: () => now,
  });
});
afterEach(() => server.close());

describe('a session that auth ended', () => {
  test('is known to the first who asks; one that was opened after is none of them', async () => {
    says(page({ ana: 3 }));
    expect(await sessions.has('ana', 2)).toBe(true);
    expect(await sessions.has('ana', 3)).toBe(false);
    expect(await sessions.has('luis', 0)).toBe(false);
  });

  test('is known after five seconds to who asked before, and auth is not asked more often', async () => {
    expect(await sessions.has('ana', 0)).toBe(false);
    says(page({ ana: 1 }));
    now = FIVE_SECONDS - 1;
    expect(await sessions.has('ana', 0)).toBe(false);
    expect(questions).toHaveLength(1);
    now = FIVE_SECONDS;
    expect(await sessions.has('ana', 0)).toBe(true);
    expect(questions.map((url) => url.searchParams.get('cursor'))).toEqual([null, 'next']);
  });

  test('is asked for by one of many callers at once, and all wait for the answer', async () => {
    says(page({ ana: 1 }));
    const known = await Promise.all(Array.from({ length: 20 }, () => sessions.has('ana', 0)));
    expect(known).toEqual(Array(20).fill(true));
    expect(questions).toHaveLength(1);
  });

  test('is found on whichever page it is', async () => {
    answer = ({ searchParams }, response) =>
      response.end(searchParams.get('cursor') ? page({ luis: 1 }, 'end') : page({ ana: 1 }, '2', true));
    expect([await sessions.has('ana', 0), await sessions.has('luis', 0)]).toEqual([true, true]);
    expect(questions.map((url) => url.searchParams.get('cursor'))).toEqual([null, '2']);
  });

  test('is forgotten when no token of it can be left', async () => {
    says(page({ ana: 1 }));
    expect(await sessions.has('ana', 0)).toBe(true);
    says(page({}));
    now = 12 * 3_600_000;
    expect(await sessions.has('ana', 0)).toBe(true);
    now = 13 * 3_600_000;
    expect(await sessions.has('ana', 0)).toBe(false);
  });

  test('is asked for with a token of this service', async () => {
    const identity = openIdentity({
      jwksUrl: server.url,
      serviceSecret: TEST_SERVICE_SECRET,
      service: 'auth',
    });
    let authorization: string | undefined;
    answer = (_url, response, request) => {
      authorization = request.headers.authorization;
      response.end(page({}));
    };
    await sessions.has('ana', 0);
    await expect(identity.service(authorization)).resolves.toBeUndefined();
  });
});

describe('while auth is away', () => {
  test.each([
    ['answers with an error', () => says('{}', 500)],
    ['answers with something else', () => says('[]')],
    ['answers with no JSON', () => says('<html>')],
    ['hangs up', () => (answer = (_url, response) => response.destroy())],
  ])('and %s, what was heard still holds and nobody is kept out', async (_how, fail) => {
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

  test('nobody waits for it a second time', async () => {
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

  test('an auth that knows nothing of it ends no sessions', async () => {
    says('', 404);
    expect(await sessions.has('ana', 0)).toBe(false);
    now = FIVE_SECONDS;
    says(page({ ana: 1 }));
    expect(await sessions.has('ana', 0)).toBe(true);
  });
});

test('a token of an ended session is refused, a newer one of the same person is not', async () => {
  const people = await startTestIdentity();
  const identity = openIdentity({
    jwksUrl: people.jwksUrl,
    serviceSecret: TEST_SERVICE_SECRET,
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
