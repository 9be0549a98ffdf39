import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { z } from 'zod';
import { openAdmission } from '../http/admission.ts';
import { listen } from '../http/server.ts';
import { waitFor } from '../testing/wait.ts';
import { startHttp, type TestHttp } from './http-harness.ts';

describe('uploads to a service', () => {
  let http: TestHttp;

  let handled = 0;

  beforeAll(async () => {
    http = await startHttp({
      'POST /api/files': {
        declared: {
          upload: { field: 'photos', maxCount: 3, maxBytes: 1_000 },
          body: z.object({ note: z.string().max(20).optional() }),
        },
        handle: async ({ files, body }) => {
          handled += 1;
          return {
            body,
            files: files.map(({ originalName, contentType, bytes }) => [
              originalName,
              contentType,
              bytes.length,
            ]),
          };
        },
      },
      'POST /api/each': {
        declared: { upload: { field: 'photos', maxCount: 3, maxBytes: 100_000, perFile: true } },
        handle: async ({ files }) =>
          files.map(({ bytes, isTooLarge }) => [bytes.length, isTooLarge ?? false]),
      },
      'POST /api/large': {
        declared: { upload: { field: 'photos', maxCount: 10, maxBytes: 15_000_000 } },
        handle: async ({ files }) => ({ count: files.length }),
      },
    });
  });

  afterAll(() => http.close());

  const file = (bytes: number, name = 'IMG_1.jpg', type = 'image/jpeg') =>
    new File([new Uint8Array(bytes)], name, { type });

  function form(files: readonly File[], fields: Record<string, string> = {}): FormData {
    const made = new FormData();
    for (const [name, value] of Object.entries(fields)) made.append(name, value);
    for (const each of files) made.append('photos', each);
    return made;
  }

  const post = (body: FormData, path = '/api/files') => http.send('POST', path, { body });

  /** Sends raw text and returns everything that came back. `end` says how our side ends. */
  function speak(head: readonly string[], body: string, end: 'half-close' | 'leave' | 'stay' = 'stay') {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    const request = ['POST /api/files HTTP/1.1', 'Host: x', 'Connection: close', ...head, '', body].join(
      '\r\n',
    );
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('error', () => {});
    const over = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
    socket.write(request, () => {
      if (end === 'half-close') socket.end();
      if (end === 'leave') socket.destroy();
    });
    return over;
  }

  const PART =
    '--edge\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n';

  const multipart = (body: string, length = body.length) => [
    'Content-Type: multipart/form-data; boundary=edge',
    `Content-Length: ${length}`,
  ];

  describe('an upload', () => {
    test('returns its files in order with their names, and its text fields', async () => {
      const { status, body } = await post(
        form([file(10, 'árbol.jpg'), file(20, 'two.png', 'image/png')], { note: 'hola' }),
      );
      expect(status).toBe(200);
      expect(body).toEqual({
        body: { note: 'hola' },
        files: [
          ['árbol.jpg', 'image/jpeg', 10],
          ['two.png', 'image/png', 20],
        ],
      });
    });

    test('may have no files', async () => {
      expect((await post(form([], { note: 'x' }))).body).toMatchObject({ files: [] });
    });

    test('accepts a file of exactly the maximum size, and names a larger one', async () => {
      expect((await post(form([file(999)]))).status).toBe(200);
      const { status, body } = await post(form([file(1), file(1_001), file(1)]));
      expect([status, body.type, body.errors[0].path]).toEqual([413, 'photo-too-large', 'photos.1']);
    });

    test('with a limit per file, returns small enough files, and names the others by position', async () => {
      const sizes = [10, 100_001, 100_000];
      const { status, body } = await post(form(sizes.map((size) => file(size))), '/api/each');
      expect([status, body]).toEqual([
        200,
        [
          [10, false],
          [0, true],
          [100_000, false],
        ],
      ]);
      const large = [file(3_000_000), file(10), file(2_000_000)];
      expect((await post(form(large), '/api/each')).body).toEqual([
        [0, true],
        [10, false],
        [0, true],
      ]);
    });

    test('with a limit per file, still limits the number of files', async () => {
      const { status, body } = await post(form(Array.from({ length: 4 }, () => file(1))), '/api/each');
      expect([status, body.type]).toEqual([422, 'too-many-files']);
    });

    test('with too many files, an unknown file field, or an invalid field is rejected', async () => {
      const many = await post(form([file(1), file(1), file(1), file(1)]));
      expect([many.status, many.body.type]).toEqual([422, 'too-many-files']);

      const other = new FormData();
      other.append('documents', file(5));
      expect((await post(other)).body).toMatchObject({
        type: 'validation-failed',
        errors: [{ path: 'documents', type: 'unknown-value' }],
      });

      const { body } = await post(form([file(1)], { note: 'x'.repeat(21) }));
      expect(body.errors).toMatchObject([{ path: 'note', type: 'too-long' }]);
    });

    test('with hundreds of fields is rejected', async () => {
      const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${index}`, 'x']));
      expect((await post(form([], fields))).body.type).toBe('malformed-request');
    });

    test('is rejected when all files together are too large, and the sender gets the answer', async () => {
      const files = Array.from({ length: 5 }, () => file(14_000_000));
      const { status, body } = await post(form(files), '/api/large');
      expect([status, body.type]).toEqual([413, 'body-too-large']);
    });

    test('that is not multipart is rejected', async () => {
      const send = (body: string | undefined, type: string) =>
        http.send('POST', '/api/files', { body, headers: { 'Content-Type': type } });
      expect((await send('{}', 'application/json')).status).toBe(415);
      expect((await http.send('POST', '/api/files')).status).toBe(415);
      expect((await send('x', 'multipart/form-data')).body.type).toBe('malformed-request');
      expect((await send('x', 'multipart/form-data; boundary=edge')).body.type).toBe('malformed-request');
      expect((await send('', 'multipart/form-data; boundary=edge')).body.type).toBe('malformed-request');
    });
  });

  describe('an upload that breaks off', () => {
    test.each([
      ['in the head of a part', '--edge\r\nContent-Disposition: form-da'],
      ['in the middle of a file', `${PART}half of a pho`],
      ['behind a file', `${PART}photo\r\n--edge\r\n`],
      ['before its last line', `${PART}photo\r\n`],
    ])('%s is rejected', async (_where, body) => {
      const before = handled;
      const received = await speak(multipart(body), body);
      expect(received).toMatch(/^HTTP\/1\.1 400 .*"type":"malformed-request"/s);
      expect(handled).toBe(before);
    });

    test.each(['half-close', 'leave'] as const)(
      'because its sender left (%s) ends, and nothing goes on',
      async (end) => {
        const before = { handled, lines: http.lines.length };
        const body = `${PART}half of a pho`;
        await speak(multipart(body, 5_000), body, end);
        const line = await waitFor(() => http.lines.slice(before.lines).find(({ msg }) => msg === 'request'));
        expect(line).toMatchObject({ route: 'POST /api/files' });
        expect(handled).toBe(before.handled);
        expect(http.lines.slice(before.lines).filter(({ level }) => level === 'error')).toEqual([]);
      },
    );

    test('does not affect the next upload', async () => {
      expect((await post(form([file(10)]))).status).toBe(200);
    });
  });
});

describe('more requests than a service accepts', () => {
  const MAX = 4;

  let http: TestHttp;

  let released: PromiseWithResolvers<void>;

  let inHand = 0;

  const slowly = async () => {
    inHand++;
    await released.promise;
    return {};
  };

  beforeAll(async () => {
    http = await startHttp(
      {
        'GET /api/slow': { handle: slowly },
        'POST /api/money': { declared: { neverShed: true, body: z.unknown() } },
        'GET /internal/asked': { declared: { access: { services: ['payments'] } } },
      },
      { admission: openAdmission(MAX) },
    );
  });

  afterAll(() => http.close());

  test('sheds load, except for payments and other services', async () => {
    released = Promise.withResolvers<void>();
    const taken = Array.from({ length: MAX }, () => http.send('GET', '/api/slow'));
    await waitFor(() => inHand === MAX);
    const shed = await http.send('GET', '/api/slow');
    expect(shed).toMatchObject({ status: 503, body: { type: 'overloaded' } });
    expect(Number(shed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await http.send('POST', '/api/money')).status).toBe(200);
    const token = await http.identity.serviceToken('payments', 'orders');
    const asked = await http.send('GET', '/internal/asked', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asked.status).toBe(200);
    released.resolve();
    expect((await Promise.all(taken)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await http.send('GET', '/api/slow')).status).toBe(200);
    expect(http.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('starting and stopping a server', () => {
  let http: TestHttp | undefined;

  afterEach(() => http?.close());

  describe('the health of a service', () => {
    test('is live and ready when its dependencies answer', async () => {
      http = await startHttp({});
      expect((await http.send('GET', '/livez')).status).toBe(200);
      expect((await http.send('GET', '/readyz')).status).toBe(200);
    });

    test('is live but not ready while it waits, and says what for', async () => {
      let waitingFor = ['kafka', 'mongodb'];
      http = await startHttp({}, { ready: async () => ({ ready: waitingFor.length === 0, waitingFor }) });
      const answer = await http.send('GET', '/readyz');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect(answer.body).toEqual({ status: 'waiting', waitingFor: ['kafka', 'mongodb'] });
      expect((await http.send('GET', '/livez')).status).toBe(200);
      waitingFor = [];
      expect((await http.send('GET', '/readyz')).status).toBe(200);
    });

    test('is measured by route and status, never by path', async () => {
      http = await startHttp({ 'GET /api/orders/{token}': {} });
      await http.send('GET', '/api/orders/secret-token');
      const counted = await waitFor(async () => {
        const { text } = await http!.send('GET', '/metrics');
        expect(text).not.toContain('secret-token');
        return text.split('\n').find((line) => line.startsWith('http_request_duration_seconds_count'));
      });
      expect(counted).toContain('route="GET /api/orders/{token}",status="200"} 1');
      expect(JSON.stringify(http.lines)).not.toContain('secret-token');
    });
  });

  describe('a service that stops', () => {
    test('finishes a running request, accepts no new one, and does not wait for idle connections', async () => {
      const started = Promise.withResolvers<void>();
      const work = Promise.withResolvers<object>();
      const handle = () => {
        started.resolve();
        return work.promise;
      };
      http = await startHttp({ 'GET /api/long': { handle }, 'GET /api/quick': {} });
      const agent = new Agent({ keepAlive: true });
      const status = (path: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          get(new URL(path, http!.url), { agent }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode));
          }).once('error', reject);
        });
      await status('/api/quick');
      const long = status('/api/long');
      await started.promise;
      const stopped = http.stop();
      await expect(fetch(new URL('/api/quick', http.url))).rejects.toThrow();
      work.resolve({ done: true });
      expect(await long).toBe(200);
      await stopped;
      agent.destroy();
      await http.identity.close();
      http = undefined;
    });

    test('does not wait for a connection without a request', async () => {
      http = await startHttp({}, { stopWithinMs: 600_000 });
      const silent = connect(Number(new URL(http.url).port), '127.0.0.1');
      const ended = once(silent.resume(), 'close');
      await once(silent, 'connect');
      // The server has accepted the connection.
      await http.send('GET', '/livez');
      await http.stop();
      await ended;
      await http.identity.close();
      http = undefined;
    });

    test('closes requests that do not end', async () => {
      const started = Promise.withResolvers<void>();
      const handle = () => {
        started.resolve();
        return new Promise(() => {});
      };
      http = await startHttp({ 'GET /api/long': { handle } }, { stopWithinMs: 50, deadlineMs: 60_000 });
      const long = fetch(new URL('/api/long', http.url)).catch(() => 'cut');
      await started.promise;
      await http.stop();
      expect(await long).toBe('cut');
      await http.identity.close();
      http = undefined;
    });

    test('closes the connection with each answer while it drains', async () => {
      let draining = false;
      http = await startHttp({ 'GET /api/quick': {} }, { draining: () => draining });
      const kept = async () => (await http!.send('GET', '/api/quick')).headers.get('connection');
      expect(await kept()).toBe('keep-alive');
      draining = true;
      expect(await kept()).toBe('close');
    });

    test('cannot start on a port that is taken', async () => {
      http = await startHttp({});
      const port = Number(new URL(http.url).port);
      await expect(listen(() => {}, { host: '127.0.0.1', port })).rejects.toMatchObject({
        code: 'EADDRINUSE',
      });
    });
  });
});
