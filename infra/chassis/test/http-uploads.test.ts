import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { z } from 'zod';
import { waitFor } from '../testing/wait.ts';
import { startHttp, type TestHttp } from './http-kit.ts';

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
      handle: async ({ files }) => files.map(({ bytes, isTooLarge }) => [bytes.length, isTooLarge ?? false]),
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

/** Writes a request as it stands; `end` closes our side of it. Gives all that came back. */
function speak(head: readonly string[], body: string, end: 'half-close' | 'leave' | 'stay' = 'stay') {
  const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
  const request = ['POST /api/files HTTP/1.1', 'Host: x', 'Connection: close', ...head, '', body].join(
    '\r\n',
  );
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  socket.on('error', () => {});
  const over = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
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
  test('hands on its files in their order, with their names, and its text fields', async () => {
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

  test('may be without files', async () => {
    expect((await post(form([], { note: 'x' }))).body).toMatchObject({ files: [] });
  });

  test('takes a file of exactly the largest size, and names one that is larger', async () => {
    expect((await post(form([file(999)]))).status).toBe(200);
    const { status, body } = await post(form([file(1), file(1_001), file(1)]));
    expect([status, body.type, body.errors[0].path]).toEqual([413, 'photo-too-large', 'photos.1']);
  });

  test('where each file counts for itself, hands on those of the right size, and names the others by their place', async () => {
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

  test('where each file counts for itself, may still not be of too many', async () => {
    const { status, body } = await post(form(Array.from({ length: 4 }, () => file(1))), '/api/each');
    expect([status, body.type]).toEqual([422, 'too-many-files']);
  });

  test('of too many files, of files under another name, or of a wrong field is refused', async () => {
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

  test('of hundreds of fields is refused', async () => {
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${index}`, 'x']));
    expect((await post(form([], fields))).body.type).toBe('malformed-request');
  });

  test('is refused when all its files together are too much, and the sender hears it', async () => {
    const files = Array.from({ length: 5 }, () => file(14_000_000));
    const { status, body } = await post(form(files), '/api/large');
    expect([status, body.type]).toEqual([413, 'body-too-large']);
  });

  test('that is no multipart is refused', async () => {
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
  ])('%s is refused', async (_where, body) => {
    const before = handled;
    const heard = await speak(multipart(body), body);
    expect(heard).toMatch(/^HTTP\/1\.1 400 .*"type":"malformed-request"/s);
    expect(handled).toBe(before);
  });

  test.each(['half-close', 'leave'] as const)(
    'because its sender is gone (%s) ends, and nothing goes on',
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

  test('leaves the service as it was: the next one is taken', async () => {
    expect((await post(form([file(10)]))).status).toBe(200);
  });
});
