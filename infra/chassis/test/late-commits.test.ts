import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { pino } from 'pino';
import { openDocuments } from '../adapters/postgres/documents/documents.ts';
import { openPool } from '../adapters/postgres/sql/pool.ts';
import { openSql } from '../adapters/postgres/sql/sql.ts';
import { recordingOutlet, type Tree } from '../conformance/documents-kit.ts';
import type { Collection, Documents } from '../ports/documents.ts';
import type { Sql } from '../ports/sql.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { anOrderId, someNews } from '../testing/events.ts';

const logger = pino({ level: 'silent' });
/** Whatever writes a row writes down whether its commit waits for the disk. */
const WATCHING = `
  create table forest.commits (wait text);
  create function forest.note() returns trigger language plpgsql
    as $$ begin insert into forest.commits values (current_setting('synchronous_commit')); return new; end $$;
  create trigger noted before insert or update on forest.trees for each row execute function forest.note();`;

describe.each([
  ['where events are in the same database', true, 'off'],
  ['where events are elsewhere', false, 'on'],
])('%s', (_, keepsCauses, ofEffects) => {
  let database: TestDatabase;
  let folder: string;
  let pool: pg.Pool;
  let documents: Documents;
  let sql: Sql;
  let trees: Collection<Tree>;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    pool = openPool(database.url, logger, { max: 1, name: 'test' });
    await pool.query(
      `alter database "${new URL(database.url).pathname.slice(1)}" set synchronous_commit to on`,
    );
    await pool.end();
    pool = openPool(database.url, logger, { max: 1, name: 'test' });
    const parts = { ...recordingOutlet().outlet, service: 'forest', logger, keepsCauses };
    documents = await openDocuments({ ...parts, pool });
    trees = await documents.collection<Tree>({ name: 'trees', indexes: [] });
    await pool.query(WATCHING);
    sql = await openSql({ ...parts, databaseUrl: database.url, migrations: pathToFileURL(`${folder}/`) });
  });
  afterAll(async () => {
    await Promise.all([sql.close(), documents.close()]);
    await pool.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  /** How the commits of what was just done waited. */
  async function waited(does: () => Promise<unknown>): Promise<string[]> {
    await pool.query('delete from forest.commits');
    await does();
    return (await pool.query<{ wait: string }>('select wait from forest.commits')).rows.map(
      ({ wait }) => wait,
    );
  }
  const grow = (id: string, options?: { eventId?: string; comesAgain?: boolean }) => () =>
    trees.change(
      id,
      (tree) => ({ document: { _id: id, height: (tree?.height ?? 0) + 1 }, events: [someNews(id)] }),
      options,
    );
  const written = (id: string) => ({
    steps: `written as (insert into trees (id, doc, version) values ($1, '{}', 1) returning id)`,
    values: [id],
  });

  test('documents wait for the disk unless what they follow from comes again', async () => {
    const id = anOrderId();
    expect(await waited(grow(id, { eventId: 'first' }))).toEqual([ofEffects]);
    expect(await waited(grow(id, { eventId: 'second' }))).toEqual([ofEffects]);
    expect(await waited(grow(id, { comesAgain: true }))).toEqual([ofEffects]);
    expect(await waited(grow(id))).toEqual(['on']);
    expect(await waited(grow(anOrderId()))).toEqual(['on']);
    expect(await waited(grow(id, { eventId: 'third', comesAgain: false }))).toEqual(['on']);
  });

  test('rows wait for the disk unless what they follow from comes again', async () => {
    const insert = `insert into trees (id, doc, version) values ($1, '{}', 1)`;
    const consumed = (eventId: string) => () =>
      sql.consume(eventId, async (tx) => void (await tx.query(insert, [eventId])));
    expect(await waited(consumed('fourth'))).toEqual([ofEffects]);
    expect(await waited(() => sql.write({ ...written('fifth'), eventId: 'fifth' }))).toEqual([ofEffects]);
    expect(await waited(() => sql.write({ ...written('sixth'), comesAgain: true }))).toEqual([ofEffects]);
    const told = { ...written('seventh'), events: [someNews(anOrderId())], comesAgain: true };
    expect(await waited(() => sql.write(told))).toEqual([ofEffects]);
    expect(await waited(() => sql.write(written('eighth')))).toEqual(['on']);
    expect(await waited(() => sql.transaction((tx) => tx.query(insert, ['ninth'])))).toEqual(['on']);
    expect(await waited(consumed('fourth'))).toEqual([]);
  });
});
