import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import { openMinioObjects } from '../adapters/minio/minio.ts';
import { isConnectionError, refusedPassword } from '../connect-retry.ts';
import { objectStoreConformance } from '../conformance/object-store.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import { startMinio, type TestMinio } from '../testing/containers/minio.ts';
import { waitFor } from '../testing/wait.ts';

const SILENCE_MS = 800;

let minio: TestMinio;
beforeAll(async () => {
  minio = await startMinio();
}, 120_000);
afterAll(() => minio?.stop());

const newBucket = () => `tests-${randomUUID()}`;
const openStore = (bucket = newBucket()) => openMinioObjects({ ...minio, bucket, silenceMs: SILENCE_MS });
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

const failure = (promise: Promise<unknown>): Promise<Error & { code?: string }> =>
  promise.then(
    () => Promise.reject(new Error('nothing failed')),
    (thrown: Error) => thrown,
  );

objectStoreConformance(async () => ({ store: await openStore(), close: () => Promise.resolve() }));

describe('a bucket', () => {
  test('keeps its objects when it is opened again', async () => {
    const bucket = newBucket();
    await (await openStore(bucket)).put('kept/one', Buffer.from('still here'), 'text/plain');
    expect(text(await (await openStore(bucket)).read('kept/one'))).toBe('still here');
  });

  test('shows nothing without credentials', async () => {
    const bucket = newBucket();
    await (await openStore(bucket)).put('evidence/tree.jpg', Buffer.from('pixels'), 'image/jpeg');
    for (const path of ['', '/evidence/tree.jpg', '?list-type=2']) {
      expect((await fetch(`${minio.endpoint}/${bucket}${path}`)).status).toBe(403);
    }
  });

  test('is created once when several processes find it missing', async () => {
    const bucket = newBucket();
    const adapter = new URL('../adapters/minio/minio.ts', import.meta.url).href;
    const code = `
      const { openMinioObjects } = await import(${JSON.stringify(adapter)});
      const store = await openMinioObjects(${JSON.stringify({ ...minio, bucket })});
      await store.put('from-' + process.pid, Buffer.from('x'), 'text/plain');
      await store.check();
      console.log(process.pid);`;
    const open = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
    const [one, other] = await Promise.all([open(), open()]);
    const store = await openStore(bucket);
    expect(text(await store.read(`from-${one.stdout.trim()}`))).toBe('x');
    expect(text(await store.read(`from-${other.stdout.trim()}`))).toBe('x');
    await expect(Promise.all(Array.from({ length: 5 }, () => openStore(bucket)))).resolves.toHaveLength(5);
  });

  test('is refused to users without permission', async () => {
    const stranger = failure(openMinioObjects({ ...minio, bucket: newBucket(), secretKey: 'somebody-else' }));
    expect(isConnectionError(await stranger)).toBe(false);
    expect(refusedPassword('media', 'minio', await stranger)).toMatch(/^media cannot use minio, .* password/);
    const unknown = failure(openMinioObjects({ ...minio, bucket: newBucket(), accessKey: 'nobody' }));
    expect(refusedPassword('media', 'minio', await unknown)).toMatch(/password/);
  });
});

describe('a store that is down', () => {
  let store: ObjectStore;
  beforeEach(async () => {
    store = await openStore();
    await store.put('tree', Buffer.from('a tree'), 'text/plain');
  });

  test('fails every call in time while it hangs, and works again afterwards', async () => {
    await minio.pause();
    try {
      const calls = [
        store.put('other', Buffer.from('x'), 'text/plain'),
        store.get('tree'),
        store.read('tree'),
        store.info('tree'),
        store.delete('tree'),
        store.check(),
      ];
      for (const error of await Promise.all(calls.map(failure))) {
        expect(error.code).toBe('ETIMEDOUT');
        expect(isConnectionError(error)).toBe(true);
      }
    } finally {
      await minio.resume();
    }
    await waitFor(() => store.check().then(() => true));
    await store.put('after', Buffer.from('a hang'), 'text/plain');
    expect(text(await store.read('after'))).toBe('a hang');
  });

  test('keeps its objects over a restart, also for open clients', async () => {
    await minio.restart();
    await waitFor(() => store.check().then(() => true), 20_000);
    expect(text(await store.read('tree'))).toBe('a tree');
  }, 60_000);

  test('is distinguished from one that rejects a call', async () => {
    const { port } = new URL(minio.endpoint);
    const nowhere = minio.endpoint.replace(port, '1');
    const error = await failure(openMinioObjects({ ...minio, endpoint: nowhere, bucket: newBucket() }));
    expect(error.code).toBe('ECONNREFUSED');
  });
});

describe('a large object', () => {
  const content = randomBytes(8_000_000);
  let store: ObjectStore;
  beforeEach(async () => {
    store = await openStore();
    await store.put('photo', content, 'image/jpeg');
  });

  test('is returned as it was put', async () => {
    expect(Buffer.from((await store.read('photo'))!).equals(content)).toBe(true);
  });

  test('is released when its reader leaves', async () => {
    const { bytes } = (await store.get('photo'))!;
    await once(bytes, 'readable');
    const stream = bytes as NodeJS.ReadableStream & { destroy(): void; socket: { destroyed: boolean } };
    stream.destroy();
    await waitFor(() => stream.socket.destroyed);
    await store.check();
  });

  test('is released when its reader never reads', async () => {
    const { bytes } = (await store.get('photo'))!;
    const stream = bytes as NodeJS.ReadableStream & { destroyed: boolean };
    await waitFor(() => stream.destroyed);
    await store.check();
  });
});

describe('a store that breaks off', () => {
  let server: Server;
  let said: string;
  beforeEach(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => said && socket.write(said));
    });
    server.listen(0);
    await once(server, 'listening');
  });
  afterEach(() => void server.close());
  const open = () =>
    openMinioObjects({
      ...minio,
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      bucket: newBucket(),
      silenceMs: SILENCE_MS,
    });

  test('before its response fails in time', async () => {
    said = '';
    expect((await failure(open())).code).toBe('ETIMEDOUT');
  });

  test('because it is overloaded says so', async () => {
    said = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n';
    const error = await failure(open());
    expect(error.code).toBe('ServiceUnavailable');
    expect(isConnectionError(error)).toBe(true);
  });

  test('in the middle of an object fails in time', async () => {
    said = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    const store = await open();
    said = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: "e"\r\nContent-Type: text/plain\r\n\r\nhalf of';
    expect((await failure(store.read('photo'))).code).toBe('ETIMEDOUT');
  });
});
