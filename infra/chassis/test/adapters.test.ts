import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { pino } from 'pino';
import { openFileObjects } from '../adapters/files/files.ts';
import { inTransaction, openPool } from '../adapters/postgres/sql/pool.ts';
import { openSmtpMailer } from '../adapters/smtp/smtp.ts';
import { MAIL_FROM, mailerConformance } from '../conformance/mailer.ts';
import { objectStoreConformance } from '../conformance/object-store.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { someEvent } from '../testing/events.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

mailerConformance((smtpUrl) => openSmtpMailer({ smtpUrl, mailFrom: MAIL_FROM }));

test('a mail server that comes back with another address gets the next email', async () => {
  const former = await openSink('127.0.0.2', 0);
  const { port } = former.address() as AddressInfo;
  let address = '127.0.0.2';
  const mailer = openSmtpMailer({
    smtpUrl: `smtp://mail.example.org:${port}`,
    mailFrom: MAIL_FROM,
    lookup: (_host, { all }, callback) =>
      all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4),
  });
  try {
    await mailer.check();
    await closed(former);
    await expect(mailer.check()).rejects.toThrow(/ECONNREFUSED/);
    address = '127.0.0.3';
    const there = await openSink('127.0.0.3', port);
    await mailer.check();
    await closed(there);
  } finally {
    await mailer.close();
  }
});

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

/** A mail server that greets. */
async function openSink(host: string, port: number): Promise<Server> {
  const server = createServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('data', (said) => socket.write(String(said).startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n'));
  }).listen(port, host);
  await once(server, 'listening');
  return server;
}

objectStoreConformance(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'objects-'));
  return {
    store: await openFileObjects(directory),
    close: () => rm(directory, { recursive: true }),
  };
});

describe('objects in files', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'objects-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test('survive when the store is opened again', async () => {
    await (await openFileObjects(directory)).put('kept/one', Buffer.from('still here'), 'text/plain');
    const reopened = await openFileObjects(directory);
    expect(Buffer.from((await reopened.read('kept/one'))!).toString()).toBe('still here');
  });

  test('are hidden from other users of the machine', async () => {
    const own = join(directory, 'own');
    await openFileObjects(own);
    expect((await stat(own)).mode & 0o777).toBe(0o700);
  });

  test('begin with their own bytes, so that any viewer opens them', async () => {
    await (await openFileObjects(directory)).put('photos/tree.jpg', Buffer.from('pixels'), 'image/jpeg');
    const onDisk = await readFile(join(directory, 'photos+', 'tree.jpg'));
    expect(onDisk.subarray(0, 6).toString()).toBe('pixels');
  });

  test('left incomplete by a crash are invisible, and are removed after an hour', async () => {
    const store = await openFileObjects(directory);
    const unfinished = join(directory, '+unfinished');
    await writeFile(join(unfinished, 'fresh'), 'half of a pho');
    await writeFile(join(unfinished, 'old'), 'half of a pho');
    const longAgo = new Date(Date.now() - 7_200_000);
    await utimes(join(unfinished, 'old'), longAgo, longAgo);
    await expect(store.get('+unfinished/fresh')).rejects.toThrow(RangeError);
    await openFileObjects(directory);
    expect(await readdir(unfinished)).toEqual(['fresh']);
  });

  test('that cannot be written leave nothing behind', async () => {
    const store = await openFileObjects(join(directory, 'blocked'));
    await mkdir(join(directory, 'blocked', 'taken'));
    await expect(store.put('taken', Buffer.from('x'), 'text/plain')).rejects.toThrow();
    await expect(store.put('long-type', Buffer.from('x'), 'x'.repeat(300))).rejects.toThrow(RangeError);
    expect(await readdir(join(directory, 'blocked', '+unfinished'))).toEqual([]);
  });

  test('report that they are unhealthy when their directory is gone', async () => {
    const gone = join(directory, 'gone');
    const store = await openFileObjects(gone);
    await rm(gone, { recursive: true });
    await expect(store.check()).rejects.toThrow();
  });
});

describe('dead letters', () => {
  const MAIN = join(import.meta.dirname, '..', 'dead-letters', 'main.ts');

  let platform: TestPlatform;

  beforeAll(async () => {
    platform = await openTestPlatform({ eventRetries: { maxAttempts: 1, delaysMs: [], maxDelayMs: 0 } });
  });

  afterAll(() => platform.close());

  const dlq = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: platform.databaseUrl };
    return (await promisify(execFile)(process.execPath, [MAIN, ...args], { env })).stdout.trim();
  };

  test('are listed and replayed by a separate process', async () => {
    let cured = false;
    const handled: string[] = [];
    await platform.bus.subscribe('orders', {
      'payment.failed': async (event) => {
        if (!cured) throw new Error('cannot digest');
        handled.push(event.id);
      },
    });
    await platform.jobs('payments').handle(
      'reconcile',
      async ({ paymentId }) => {
        if (!cured) throw new Error('no answer');
        handled.push(String(paymentId));
      },
      { maxAttempts: 1 },
    );
    const event = someEvent();
    await platform.bus.publish([event]);
    await platform.jobs('payments').enqueue([{ name: 'reconcile', payload: { paymentId: 'p1' } }]);
    await waitFor(async () => (await platform.bus.deadLetters()).length === 1);
    await waitFor(async () => (await platform.jobs('payments').deadJobs()).length === 1);

    const letters = JSON.parse(await dlq('list', '--json')) as { kind: string }[];
    expect(letters.sort((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
      {
        kind: 'event',
        owner: 'orders',
        what: 'payment.failed',
        key: event.key,
        error: 'Error: cannot digest',
      },
      { kind: 'job', owner: 'payments', what: 'reconcile', error: 'Error: no answer' },
    ]);

    cured = true;
    expect(await dlq('replay', '--all')).toMatch(/^\S+ is on its way again\.\n\S+ is on its way again\.$/);
    await waitFor(() => handled.length === 2);
    expect(handled.sort()).toEqual([event.id, 'p1'].sort());
    expect(await dlq('list')).toBe('There are no dead letters.');

    cured = false;
    await platform.bus.publish([someEvent()]);
    await platform.jobs('payments').enqueue([{ name: 'reconcile', payload: { paymentId: 'p2' } }]);
    await waitFor(async () => (await platform.bus.deadLetters()).length === 1);
    await waitFor(async () => (await platform.jobs('payments').deadJobs()).length === 1);
    expect(await dlq('discard', '--all')).toMatch(/^\S+ is discarded\.\n\S+ is discarded\.$/);
    expect(await dlq('list')).toBe('There are no dead letters.');
    expect(handled).toHaveLength(2);
  });
});

describe('a database that does not answer', () => {
  let database: TestDatabase;

  let way: Server;

  let pool: pg.Pool;

  const ends: Socket[] = [];

  /** Drops all traffic from now on, without closing connections. */
  const dropTraffic = () => ends.forEach((end) => end.unpipe().pause());

  beforeEach(async () => {
    database = await createTestDatabase();
    const to = new URL(database.url);
    way = createServer((near) => {
      const far = connect(Number(to.port), to.hostname);
      for (const end of [near, far]) end.on('error', () => undefined);
      ends.push(near, far);
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    const url = Object.assign(new URL(database.url), {
      hostname: '127.0.0.1',
      port: String((way.address() as AddressInfo).port),
    });
    pool = openPool(url.href, pino({ level: 'silent' }), { max: 1, name: 'test', statementTimeoutMs: 100 });
  });

  afterEach(async () => {
    await pool.end();
    for (const end of ends.splice(0)) end.destroy();
    way.close();
    await database.drop();
  });

  test('times out a statement, and gives the next one a working connection', async () => {
    await pool.query('select 1');
    dropTraffic();
    await expect(pool.query('select 1')).rejects.toThrow('Query read timeout');
    expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
  });

  test('times out a transaction', async () => {
    await pool.query('select 1');
    dropTraffic();
    await expect(inTransaction(pool, (client) => client.query('select 1'))).rejects.toThrow();
    expect(await inTransaction(pool, async (client) => (await client.query('select 2 as two')).rows)).toEqual(
      [{ two: 2 }],
    );
  });
});
