import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { openOutbox } from '../adapters/postgres/outbox.ts';
import { createSchema } from '../adapters/postgres/schema.ts';
import { inspectMigrations, migrate } from '../adapters/postgres/sql/migrate.ts';
import type { MigrationSet } from '../adapters/postgres/sql/migration-files.ts';
import { openPool } from '../adapters/postgres/sql/pool.ts';
import { openSql } from '../adapters/postgres/sql/sql.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Sql } from '../ports/sql.ts';
import { createTestDatabase } from '../testing/database.ts';

export const accounts = {
  '001_accounts.sql': 'create table accounts (name text primary key, balance int not null);',
};

type Publisher = Pick<EventBus, 'publish'>;

/** A bus that records its events. */
export function recordingBus() {
  const events: ArboledaEvent[] = [];
  const bus: Publisher = { publish: async (some) => void events.push(...some) };
  return { events, bus };
}

/** A bus that is unavailable. */
export const brokenBus: Publisher = { publish: () => Promise.reject(new Error('the bus is unavailable')) };

/** A database, and everything that is opened on it until it is closed. */
export async function openSqlHarness() {
  const database = await createTestDatabase();
  const logs: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line) => void logs.push(JSON.parse(line)) });
  const folders: string[] = [];
  const opened: Sql[] = [];
  const pool = openPool(database.url, logger, { max: 3, name: 'harness' });
  await createSchema(pool, logger);
  return {
    /** Lines of the process log. */
    logs: logs as readonly Record<string, unknown>[],
    /** A folder of migrations. */
    async aFolder(files: Record<string, string>): Promise<URL> {
      const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
      folders.push(folder);
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      return pathToFileURL(`${folder}/`);
    },
    migrate: (set: MigrationSet, options?: { upTo?: readonly string[] }) => migrate(pool, set, options),
    inspect: (sets: readonly MigrationSet[]) => inspectMigrations(pool, sets),
    /** Uses an outbox, for a bus on another engine. */
    async open(service: string, migrations: URL, bus: Publisher = recordingBus().bus): Promise<Sql> {
      const sql = await openSql({
        databaseUrl: database.url,
        service,
        migrations,
        logger,
        outbox: (own: pg.Pool) => openOutbox({ pool: own, service, bus, logger, graceMs: 200 }),
      });
      opened.push(sql);
      return sql;
    },
    /** Payloads and contexts of the queued jobs of a task. */
    async jobs(task: string) {
      const { rows } = await pool.query<{ payload: Record<string, unknown> }>(
        `select payload from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1 order by j.id`,
        [task],
      );
      return rows.map(({ payload }) => payload);
    },
    async close(): Promise<void> {
      for (const sql of opened) await sql.close();
      await pool.end();
      await database.drop();
      for (const folder of folders) await rm(folder, { recursive: true });
    },
  };
}
export type SqlHarness = Awaited<ReturnType<typeof openSqlHarness>>;
