import { migrate } from '@arboleda/chassis/adapters/postgres/sql/migrate.ts';
import { setsOfService } from '@arboleda/chassis/adapters/postgres/sql/migration-files.ts';
import { openPool } from '@arboleda/chassis/adapters/postgres/sql/pool.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import { createTestDatabase, type TestDatabase } from '@arboleda/chassis/testing/database.ts';
import { trialRates } from '@arboleda/pricing/rates/rates.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { databaseFindings } from '../doctor/database.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url, pino({ level: 'silent' }), { max: 2, name: 'test' });
  for (const service of ['payments', 'notifications', 'auth', 'pricing'])
    for (const set of setsOfService(
      service,
      new URL(`../../../services/${service}/migrations/`, import.meta.url),
    ))
      await migrate(pool, set);
  const { asOf, source, rates } = trialRates(new Date());
  await pool.query(
    'insert into pricing.rate_tables (as_of, source, rates, accepted_at) values ($1, $2, $3, now())',
    [asOf, source, rates],
  );
  await pool.query(
    'create schema media; create table media.photos (state text, uploaded_at timestamptz, step text, due_at timestamptz)',
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const found = () => databaseFindings(database.url);

test('a healthy database gives no finding', async () => {
  expect(await found()).toEqual([]);
});

test.each([
  [
    `insert into payments._outbox (event, created_at) values ('{}', now() - interval '2 minutes')`,
    'delete from payments._outbox',
    '1 events of payments',
  ],
  [
    `insert into chassis.dead_letters (kind, owner, task, payload, error) values ('job', 'media', 't', '{}', 'e')`,
    'delete from chassis.dead_letters',
    '1 events or jobs were given up',
  ],
  [
    `insert into chassis.backups (made_at) values (now() - interval '50 hours')`,
    'delete from chassis.backups',
    'No backup was made for 50 hours',
  ],
  [
    `insert into media.photos values ('accepted', now() - interval '2 hours', 'jpeg', now())`,
    'delete from media.photos',
    '1 photos were sent more than an hour ago',
  ],
  [
    `insert into media.photos values ('unshowable', now(), 'jpeg', null)`,
    'delete from media.photos',
    'Pictures of 1 photos were given up',
  ],
  [
    `insert into notifications.mails (id, event_id, kind, recipient_address, recipient_name, language, facts, correlation_id, queued_at)
     values ('m', 'e', 'receipt', 'a', 'b', 'en', '{}', 'c', now() - interval '2 hours')`,
    'delete from notifications.mails',
    '1 emails have waited',
  ],
  [
    aPayment(`'{"status":"open","intentId":"pi_1"}'`),
    'delete from payments.payments',
    '1 payments should have been looked up',
  ],
  [
    aPayment(`'{"status":"mismatched","intentId":"pi_1"}'`, 'null'),
    'delete from payments.payments',
    'another amount than was asked',
  ],
  [
    `insert into payments.transfers (bank, id, order_id, order_token, request_hash, package_type, trees, amount_minor, currency, quote, customer,
       language, state, created_at) values ('bancolombia', 't', 'o', 'x', 'h', 'grove', 5, 1, 'COP', '{}', '{}', 'es', '{"status":"pending"}',
       now() - interval '2 days')`,
    'delete from payments.transfers',
    '1 bank transfers have waited',
  ],
  [
    `update pricing.rate_tables set as_of = as_of - 4`,
    'update pricing.rate_tables set as_of = as_of + 4',
    'Exchange rates of 15 currencies are too old, so their buyers see prices in dollars',
  ],
  [
    'create table kept as select * from pricing._migrations; delete from pricing._migrations',
    'insert into pricing._migrations select * from kept',
    'The database of pricing lacks 001_pricing.sql',
  ],
  [
    `update pricing._migrations set checksum = 'x' || checksum`,
    'update pricing._migrations set checksum = substr(checksum, 2)',
    'The data of pricing was written by a version before 1.0',
  ],
])('each fault gives one finding (%#)', async (provoke, mend, sentence) => {
  await pool.query(provoke);
  expect(await found()).toEqual([expect.stringContaining(sentence)]);
  await pool.query(mend);
});

function aPayment(state: string, due = `now() - interval '2 hours'`): string {
  return `insert into payments.payments (id, order_id, order_token, request_hash, package_type, trees, amount_minor, currency, quote,
    customer, language, state, created_at, updated_at, reconcile_at)
    values ('p', 'o', 't', 'h', 'grove', 5, 1, 'USD', '{}', '{}', 'en', ${state}, now(), now(), ${due})`;
}

test('reports a clock skew, and a database that rejects the password', async () => {
  const ahead = await databaseFindings(database.url, { now: () => new Date(Date.now() + 60_000) });
  expect(ahead).toEqual([expect.stringContaining('60 s apart')]);
  const closed = await databaseFindings('postgres://nobody:hush@127.0.0.1:1/none');
  expect(closed).toEqual([expect.stringContaining('Cannot connect to the database')]);
  expect(closed[0]).not.toContain('hush');
});

test('the command runs without a running installation, and sets its exit code', () => {
  const dir = mkdtempSync(join(tmpdir(), 'arboleda-doctor-'));
  try {
    writeFileSync(join(dir, '.arboleda'), '');
    writeFileSync(join(dir, 'version.json'), '{"version":"0.9.9"}');
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: dir,
      PORT: '0',
      DATABASE_URL: '',
      DOCKER_HOST: 'unix:///nowhere',
    };
    const run = (more: Record<string, string> = {}) =>
      spawnSync(process.execPath, [join(ROOT, 'infra/cli/doctor/main.ts')], {
        cwd: dir,
        env: { ...env, ...more },
        encoding: 'utf8',
      });
    const wrong = run();
    expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining('secrets.json is missing')]);
    writeFileSync(join(dir, 'secrets.json'), '{"postgresPassword":"x"}', { mode: 0o600 });
    const well = run();
    expect([well.status, well.stdout]).toEqual([0, expect.stringContaining('Nothing is running')]);
    expect(well.stdout).toContain(
      `Arboleda ${VERSION}. ${dir} is of version 0.9.9: npm start upgrades it to ${VERSION}.\n`,
    );
    const running = run({ DATABASE_URL: database.url });
    expect(running.stdout).toContain('Last backup: none was made.\nChecked the running installation');
    expect(running.status).toBe(0);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
