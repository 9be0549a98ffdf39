import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { askNowAndThen, endWhenSilent } from '../adapters/postgres/sql/silence.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { waitFor } from '../testing/wait.ts';

let database: TestDatabase;
let way: Server;
let pool: pg.Pool;
let lost: Error[];
const ends: Socket[] = [];
/** From now on nothing gets through, and nobody is told. */
const hush = () => ends.forEach((end) => end.unpipe().pause());

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
  pool = new pg.Pool({ connectionString: url.href, max: 1 });
  lost = [];
  pool.on('error', (error) => void lost.push(error));
});

afterEach(async () => {
  await pool.end();
  for (const end of ends.splice(0)) end.destroy();
  way.close();
  await database.drop();
});

test('a statement that nobody answers fails, and the next one has a connection that works', async () => {
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    endWhenSilent(client, 200);
  });
  await pool.query('select 1');
  hush();
  await expect(pool.query('select 1')).rejects.toThrow('Connection terminated');
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
});

test('a connection that is only kept is not ended for saying nothing', async () => {
  pool.on('connect', (client) => endWhenSilent(client, 50));
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const silentFor = performance.now() + 200;
  await waitFor(() => performance.now() > silentFor);
  expect((await client.query('select pg_backend_pid() as pid')).rows).toEqual(rows);
  client.release();
});

test('a connection that listens is missed when it is gone', async () => {
  const client = await pool.connect();
  client.on('error', (error) => void lost.push(error));
  askNowAndThen(client, 50, 200);
  await client.query('listen news');
  hush();
  await waitFor(() => lost.length > 0);
  client.release(true);
});
