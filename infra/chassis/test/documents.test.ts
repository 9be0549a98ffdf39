import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { documentsConformance } from '../conformance/documents.ts';
import { type Outlet, recordingOutlet } from '../conformance/documents-kit.ts';
import { openDocuments } from '../adapters/postgres/documents/documents.ts';
import { askLists } from '../adapters/postgres/documents/lists.ts';
import { listsOf } from '../adapters/postgres/documents/list-tables.ts';
import { compileQuery } from '../adapters/postgres/documents/query.ts';
import type { CollectionDefinition } from '../ports/documents.ts';
import { createQueueSchema } from '../adapters/postgres/queue/schema.ts';
import { openPool } from '../adapters/postgres/sql/pool.ts';
import { createDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { waitFor } from '../testing/wait.ts';

const logger = pino({ level: 'silent' });

async function openEngine(database: TestDatabase, { keepsCauses = true } = {}) {
  const pool = openPool(database.url, logger, { max: 8, name: 'test' });
  await createQueueSchema(pool, logger);
  const opened: { close(): Promise<void> }[] = [];
  return {
    pool,
    async connect(outlet: Outlet) {
      const documents = await openDocuments({
        ...outlet,
        pool,
        service: 'forest',
        logger,
        graceMs: 200,
        keepsCauses,
      });
      opened.push(documents);
      return documents;
    },
    async close() {
      for (const documents of opened) await documents.close();
      await pool.end();
      await database.drop();
    },
  };
}

describe.each([
  ['as the machine sorts', ''],
  ['as people sort', `template template0 locale_provider icu icu_locale 'en-US'`],
])('in a database that sorts %s:', (_, how) => {
  documentsConformance(async () =>
    how
      ? openEngine(await createDatabase(how), { keepsCauses: false })
      : openEngine(await createTestDatabase()),
  );
});

const DEFINITION: CollectionDefinition = {
  name: 'orders',
  indexes: [
    { name: 'by status', fields: { status: 'asc', createdAt: 'desc', _id: 'desc' } },
    {
      ...{ name: 'words', list: 'words', by: ['status', 'createdAt'] },
      order: { createdAt: 'desc', _id: 'desc' },
    },
  ],
};
const NEWEST = ['createdAt', '_id'].map((field) => ({ field, direction: 'desc' as const }));

describe('documents on PostgreSQL', () => {
  let engine: Awaited<ReturnType<typeof openEngine>>;
  let client: pg.Client;
  let pool: pg.Pool;
  beforeAll(async () => {
    const database = await createTestDatabase();
    engine = await openEngine(database);
    pool = openPool(database.url, logger, { max: 1, name: 'test' });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const documents = await engine.connect(recordingOutlet().outlet);
    await documents.collection(DEFINITION);
    await client.query(`
      insert into forest.orders (id, version, doc)
      select n::text, 1, jsonb_build_object('_id', n::text, 'status', 's' || n % 5,
        'words', jsonb_build_array('w' || n, 'all'),
        'createdAt', to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      from generate_series(1, 5000) n;
      analyze`);
  });
  afterAll(async () => {
    await client.end();
    await pool.end();
    await engine.close();
  });

  const explain = async (query: Parameters<typeof compileQuery>[1]) => {
    const { text, values } = compileQuery('forest.orders', query, listsOf('forest', DEFINITION));
    const rows = await askLists<{ 'QUERY PLAN': string }>(pool, { text: `explain ${text}`, values });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  test('find by a defined index', async () => {
    expect(await explain({ where: { status: 's1', createdAt: '2026-01-01T00:01:00Z' } })).toContain(
      'orders_by_status_index',
    );
  });

  test('find by a word of a list through its index', async () => {
    const plan = await explain({ where: { words: { all: ['w77'] }, status: 's2' } });
    expect(plan).toMatch(/Bitmap Index Scan on _list_orders_words_\w+_items/);
    expect(plan).toContain('orders_pkey');
    expect(plan).not.toContain('Seq Scan');
  });

  test('page through a defined index without sorting', async () => {
    const plan = await explain({
      where: { status: 's1' },
      sort: NEWEST,
      after: ['2026-01-03T00:00:00Z', '100'],
      limit: 20,
    });
    expect(plan).toContain('orders_by_status_index');
    expect(plan).not.toContain('Sort');
  });

  test('are found by a rare word before they are sorted, however many there are', async () => {
    const [list] = listsOf('forest', DEFINITION);
    await client.query('update pg_class set reltuples = 1e8 where oid = $1::regclass', [list!.table]);
    const plan = await explain({ where: { words: { all: ['w77'] } }, sort: NEWEST, limit: 20 });
    // Of few, and of the sample; in the order that is wanted only of many.
    expect(plan).toMatch(/Bitmap Index Scan on _list_orders_words_\w+_items/);
    expect(plan.match(/_list_orders_words_\w+_order/g)).toHaveLength(1);
  });

  test('leave nothing in the outbox once it was told', async () => {
    const { events, outlet } = recordingOutlet();
    const documents = await engine.connect(outlet);
    const trees = await documents.collection({ name: 'trees', indexes: [] });
    await trees.change('a', () => ({ document: { _id: 'a' }, events: [someNews(anOrderId())] }));
    await waitFor(() => events.length === 1);
    await waitFor(async () => (await client.query('select from forest._outbox')).rowCount === 0);
  });

  test('are not written under names that are no names', async () => {
    const documents = await engine.connect(recordingOutlet().outlet);
    await expect(documents.collection({ name: 'x"; drop table y', indexes: [] })).rejects.toThrow(
      'cannot name',
    );
  });
});
