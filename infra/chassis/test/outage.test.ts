import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { someEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { openTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { waitFor } from '../testing/wait.ts';

let platform: TestPlatform;
let database: pg.Client;
beforeEach(async () => {
  platform = await openTestPlatform({ stopWithinMs: 300 });
  database = new pg.Client({ connectionString: platform.databaseUrl });
  await database.connect();
});
afterEach(async () => {
  await database.end();
  await platform.close();
});

const connections = async () =>
  Number(
    (
      await database.query(
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    ).rows[0].n,
  );

test('events and jobs flow again after every connection was cut', async () => {
  const events: string[] = [];
  let jobs = 0;
  await platform.bus.subscribe('survivor', { 'payment.failed': async (event) => void events.push(event.id) });
  await platform.jobs('survivor').handle('work', async () => void jobs++);
  const before = someEvent();
  const later = someEvent();
  await platform.bus.publish([before]);
  await waitFor(() => events.includes(before.id));

  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  const after = someEvent();
  await waitFor(() => platform.bus.publish([after]).then(() => true));
  await waitFor(() =>
    platform
      .jobs('survivor')
      .enqueue([{ name: 'work', payload: {} }])
      .then(() => true),
  );
  await waitFor(() => events.includes(after.id) && jobs > 0, 15_000);
  // Nothing stays in the hands of workers that do not know of it.
  await platform.bus.publish([later]);
  await waitFor(
    async () => (await database.query('select from graphile_worker.jobs')).rowCount === 0,
    15_000,
  );
  await platform.bus.check();
  // It shows again that it lives, so that nobody takes its work for a dead process's.
  await waitFor(async () => {
    const { rows } = await database.query(
      `select count(*) as n from pg_locks where locktype = 'advisory' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return Number(rows[0].n) >= 2;
  });
}, 40_000);

test('a job that was taken but whose taker never heard of it is taken again', async () => {
  const jobs = platform.jobs('survivor');
  const working = gate();
  let begun = 0;
  await jobs.handle('work', async () => {
    begun++;
    await working.opened;
  });
  await jobs.enqueue([{ name: 'work', payload: {} }]);
  await waitFor(() => begun === 1);
  await jobs.enqueue([{ name: 'lost', payload: {} }]);
  // As when the answer that brings it is lost with its connection.
  await database.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute',
       locked_by = (select locked_by from graphile_worker.jobs where locked_by is not null)
     where locked_by is null`,
  );
  let found = 0;
  await jobs.handle('lost', async () => void found++);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'arboleda:queue'`,
  );
  working.open();
  await waitFor(() => found === 1, 15_000);
}, 30_000);

test('closing does not wait for ever for a handler that never ends, whose work is given back', async () => {
  let taken = 0;
  await platform.bus.subscribe('stuck', {
    'payment.failed': async () => {
      taken++;
      await new Promise(() => undefined);
    },
  });
  await platform.bus.publish([someEvent()]);
  await waitFor(() => taken === 1);
  await platform.bus.close();
  const { rows } = await database.query('select locked_by from graphile_worker.jobs');
  expect(rows).toEqual([{ locked_by: null }]);
});

test('all services in one process are content with sixty connections, and give them all back', async () => {
  const own = await openTestPlatform({ databaseUrl: platform.databaseUrl });
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const before = await connections();
  const stores = await Promise.all(
    SERVICES.map(async (service) => {
      const sql = await own.sql(service, pathToFileURL(`${folder}/`));
      const trees = await (await own.documents(service)).collection({ name: 'trees', indexes: [] });
      await own.bus.subscribe(service, { 'payment.failed': async () => undefined });
      await own.jobs(service).every('sweep', 50, async () => undefined);
      return { sql, trees };
    }),
  );
  await Promise.all(
    stores.flatMap(({ sql, trees }) =>
      Array.from({ length: 50 }, (_, n) => [sql.query('select pg_sleep(0.02)'), trees.get(String(n))]).flat(),
    ),
  );
  expect((await connections()) - before).toBeLessThanOrEqual(60);
  await own.close();
  await rm(folder, { recursive: true });
  await waitFor(async () => (await connections()) <= before);
}, 30_000);

test('a job that kills its process each time ends among the dead letters', async () => {
  await platform.jobs('deadly').enqueue([{ name: 'explode', payload: { tree: 'manchineel' } }]);
  await database.query('update graphile_worker._private_jobs set attempts = max_attempts');
  const letter = await waitFor(async () => {
    const { rows } = await database.query('select owner, task, payload, error from chassis.dead_letters');
    return rows[0];
  });
  expect(letter).toMatchObject({
    owner: 'deadly',
    task: 'job:deadly:explode',
    payload: { payload: { tree: 'manchineel' } },
    error: expect.stringContaining('died'),
  });
  expect((await database.query('select from graphile_worker.jobs')).rowCount).toBe(0);
});
