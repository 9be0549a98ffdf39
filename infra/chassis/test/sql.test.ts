import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { brokenOutlet, type Outlet, recordingOutlet } from '../conformance/documents-kit.ts';
import { withContext } from '../context.ts';
import type { Sql } from '../ports/sql.ts';
import { openSql } from '../adapters/postgres/sql/sql.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { anOrderId, someNews } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';

const logger = pino({ level: 'silent' });
let database: TestDatabase;
const folders: string[] = [];
const opened: Sql[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const sql of opened) await sql.close();
  await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function aFolder(files: Record<string, string>): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
}

async function open(service: string, migrations: URL, outlet: Outlet = recordingOutlet().outlet) {
  const sql = await openSql({
    ...outlet,
    databaseUrl: database.url,
    service,
    migrations,
    logger,
    graceMs: 200,
  });
  opened.push(sql);
  return sql;
}

const accounts = {
  '001_accounts.sql': 'create table accounts (name text primary key, balance int not null);',
};
const counting = { '001_count.sql': 'create table runs (n int); insert into runs values (1);' };

describe('migrations', () => {
  test('are run once, in the schema of their service, by five that start together', async () => {
    const folder = await aFolder({ ...counting, '002_more.sql': 'insert into runs values (2);' });
    const all = await Promise.all(Array.from({ length: 5 }, () => open('counted', folder)));
    expect((await all[4]!.query('select n from counted.runs order by n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await all[0]!.query('select name from _migrations order by name')).rows).toEqual([
      { name: '001_count.sql' },
      { name: '002_more.sql' },
    ]);
  });

  test('that were added later are run on top', async () => {
    await open('growing', await aFolder(counting));
    const sql = await open(
      'growing',
      await aFolder({ ...counting, '002_more.sql': 'insert into runs values (2);' }),
    );
    expect((await sql.query('select n from runs order by n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('that have changed since they ran, or are gone, stop the start and are named', async () => {
    await open('edited', await aFolder(counting));
    const edited = await aFolder({ '001_count.sql': 'create table other (n int);' });
    await expect(open('edited', edited)).rejects.toThrow('001_count.sql of edited has changed');
    const renamed = await aFolder({ '001_a_name.sql': counting['001_count.sql'] });
    await expect(open('edited', renamed)).rejects.toThrow('001_count.sql of edited is gone');
  });

  test('of a newer version are no hindrance to the older one that still runs', async () => {
    await open('newer', await aFolder({ ...counting, '002_more.sql': 'alter table runs add note text' }));
    const older = await open('newer', await aFolder(counting));
    await older.query('insert into runs (n) values (7)');
    expect((await older.query('select from _migrations')).rowCount).toBe(2);
  });

  test('that fail leave nothing of themselves or of those before them', async () => {
    const folder = await aFolder({
      ...counting,
      '002_wrong.sql': 'create table half (n int); select nonsense;',
    });
    await expect(open('failing', folder)).rejects.toThrow('nonsense');
    const mended = await open('failing', await aFolder(counting));
    expect((await mended.query('select n from runs')).rows).toEqual([{ n: 1 }]);
    expect((await mended.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }]);
  });

  test('are numbered without a gap', async () => {
    await expect(open('gap', await aFolder({ '002_late.sql': 'select 1' }))).rejects.toThrow('002_late.sql');
    await expect(open('unnumbered', await aFolder({ 'first.sql': 'select 1' }))).rejects.toThrow('first.sql');
  });
});

describe('migrations that stand beside the traffic', () => {
  const books = {
    '001_books.sql': 'create table books (id int, title text); insert into books values (1, $$a$$);',
  };
  const indexed = {
    ...books,
    '002_by_title.sql':
      '-- concurrently\ncreate index concurrently if not exists books_by_title on books (title);\n',
  };

  test('are run once by five that start together', async () => {
    const folder = await aFolder(indexed);
    const all = await Promise.all(Array.from({ length: 5 }, () => open('beside', folder)));
    const { rows } = await all[0]!.query('select name from _migrations order by name');
    expect(rows.map(({ name }) => name)).toEqual(['001_books.sql', '002_by_title.sql']);
    expect(await validity(all[0]!, 'books_by_title')).toBe(true);
  });

  test('let others write while an index is made', async () => {
    const sql = await open('writable', await aFolder(books));
    const held = gate();
    // An index that is made beside the traffic waits for whoever writes already.
    const writing = sql.transaction(async (tx) => {
      await tx.query(`insert into books values (2, 'b')`);
      await held.opened;
    });
    const newer = open('writable', await aFolder(indexed));
    await waitFor(async () => (await validity(sql, 'books_by_title')) === false);
    await sql.query(`insert into books values (3, 'c')`);
    held.open();
    await writing;
    await newer;
    expect(await validity(sql, 'books_by_title')).toBe(true);
  });

  test('are begun anew when a crash left an index unfinished', async () => {
    const sql = await open('crashed', await aFolder(books));
    await sql.query(`insert into books values (2, 'a')`);
    await expect(
      sql.query('create unique index concurrently books_by_title on books (title)'),
    ).rejects.toThrow();
    expect(await validity(sql, 'books_by_title')).toBe(false);
    await open('crashed', await aFolder(indexed));
    expect(await validity(sql, 'books_by_title')).toBe(true);
  });

  test('leave out what needs an extension that the server does not have', async () => {
    const text =
      '-- concurrently\n-- with extension no_such\ncreate index concurrently i on books using no_such (title);\n';
    const sql = await open('without', await aFolder({ ...books, '002_words.sql': text }));
    expect((await sql.query('select from _migrations')).rowCount).toBe(2);
  });

  test('that were rewritten are not run again where they ran as they were, and are known to a former version', async () => {
    const former = createHash('sha256').update(counting['001_count.sql']).digest('hex');
    const kinder = { '001_count.sql': `-- formerly ${former}\ncreate table runs (n int);\n` };
    const sql = await open('rewritten', await aFolder(counting));
    await open('rewritten', await aFolder(kinder));
    expect((await sql.query('select n from runs')).rows).toEqual([{ n: 1 }]);
    await open('rewritten_new', await aFolder(kinder));
    await open('rewritten_new', await aFolder(counting));
  });

  const validity = async (sql: Sql, index: string): Promise<boolean | undefined> =>
    (
      await sql.query<{ valid: boolean }>(
        'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
        [index],
      )
    ).rows[0]?.valid;
});

describe('a transaction', () => {
  let sql: Sql;
  const { events, jobs, outlet } = recordingOutlet();
  beforeAll(async () => {
    sql = await open('bank', await aFolder(accounts), outlet);
    await sql.query(`insert into accounts values ('a', 100), ('b', 0)`);
  });
  const balance = async (name: string) =>
    (await sql.query<{ balance: number }>('select balance from accounts where name = $1', [name])).rows[0]
      ?.balance;

  test('tells the world after it is committed, in order, with what led to it', async () => {
    const keys = Array.from({ length: 3 }, anOrderId);
    const held = gate();
    const running = withContext({ correlationId: 'corr-1', causationId: 'cause-1' }, () =>
      sql.transaction(async (tx) => {
        await tx.publish([someNews(keys[0]!), someNews(keys[1]!)], 7);
        await tx.publish([someNews(keys[2]!)]);
        await tx.enqueue([{ name: 'receipt', payload: { of: keys[0] }, key: keys[0]! }]);
        await held.opened;
        return 'done';
      }),
    );
    expect(events).toEqual([]);
    held.open();
    expect(await running).toBe('done');
    await waitFor(() => jobs.length === 1);
    expect(events).toMatchObject([
      { key: keys[0], sequence: 7, correlationId: 'corr-1', causationId: 'cause-1' },
      { key: keys[1], sequence: 7 },
      { key: keys[2], sequence: 0 },
    ]);
    const context = { correlationId: 'corr-1', causationId: 'cause-1' };
    expect(jobs).toEqual([{ name: 'receipt', payload: { of: keys[0] }, key: keys[0], context }]);
    await waitFor(async () => (await sql.query('select from _outbox')).rowCount === 0);
  });

  test('that fails changes and says nothing', async () => {
    const key = anOrderId();
    const failing = sql.transaction(async (tx) => {
      await tx.query(`update accounts set balance = 0 where name = 'a'`);
      await tx.publish([someNews(key)]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await balance('a')).toBe(100);
    await expect(sql.transaction((tx) => tx.publish([someNews('not an order')]))).rejects.toThrow();
    const later = anOrderId();
    await sql.transaction((tx) => tx.publish([someNews(later)]));
    await waitFor(() => events.some((event) => event.key === later));
    expect(events.some((event) => event.key === key)).toBe(false);
  });

  test('that gets into a deadlock is begun anew', async () => {
    const bothHoldOne = [gate(), gate()];
    const tries = [0, 0];
    const pay = (at: 0 | 1) =>
      sql.transaction(async (tx) => {
        tries[at]!++;
        const [first, second] = at === 0 ? ['a', 'b'] : ['b', 'a'];
        await tx.query('update accounts set balance = balance + 1 where name = $1', [first]);
        bothHoldOne[at]!.open();
        await bothHoldOne[1 - at]!.opened;
        await tx.query('update accounts set balance = balance + 1 where name = $1', [second]);
      });
    const before = (await balance('a'))!;
    await Promise.all([pay(0), pay(1)]);
    expect(await balance('a')).toBe(before + 2);
    expect(tries[0]! + tries[1]!).toBe(3);
  });

  test('that died before it could publish is heard of from another process', async () => {
    const doomed = await open('bank', await aFolder(accounts), brokenOutlet);
    const key = anOrderId();
    await doomed.transaction(async (tx) => {
      await tx.publish([someNews(key)]);
      await tx.enqueue([{ name: 'receipt', payload: {}, key }]);
    });
    await waitFor(() => events.some((event) => event.key === key), 15_000);
    await waitFor(() => jobs.some((job) => job.key === key), 15_000);
  }, 40_000);

  test('takes an event in once, also when it comes five times at once', async () => {
    const take = () =>
      sql.consume('event-1', async (tx) => {
        await tx.query(`update accounts set balance = balance + 10 where name = 'b'`);
      });
    const before = (await balance('b'))!;
    const taken = await Promise.all([take(), take(), take(), take(), take()]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await take()).toBe(false);
    expect(await balance('b')).toBe(before + 10);
  });

  test('takes an event in later when taking it failed', async () => {
    const failing = sql.consume('event-2', async () => {
      throw new Error('an earlier one is missing');
    });
    await expect(failing).rejects.toThrow('missing');
    expect(await sql.consume('event-2', async () => undefined)).toBe(true);
  });

  test('remembers what it took in for longer than anything is under way, not for ever', async () => {
    await sql.consume('recent', async () => undefined);
    await sql.query(`insert into _inbox values ('ancient', now() - interval '91 days')`);
    await open('bank', await aFolder(accounts));
    const known = async () =>
      (await sql.query(`select event_id from _inbox where event_id in ('recent', 'ancient')`)).rows;
    await waitFor(async () => (await known()).length === 1);
    expect(await known()).toEqual([{ event_id: 'recent' }]);
  });

  test('does not see the tables of another service', async () => {
    const other = await open('stranger', await aFolder({}));
    await expect(other.query('select from accounts')).rejects.toThrow('accounts');
    await expect(other.check()).resolves.toBeUndefined();
  });

  test('is over when closing is, and so is what it had to say', async () => {
    const recorder = recordingOutlet();
    const leaving = await openSql({
      ...recorder.outlet,
      databaseUrl: database.url,
      service: 'leaving',
      migrations: await aFolder({}),
      logger,
    });
    await leaving.transaction((tx) => tx.publish([someNews(anOrderId())]));
    await leaving.close();
    expect(recorder.events).toHaveLength(1);
  });
});
