import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setsOfService } from '../adapters/postgres/sql/migration-files.ts';
import type { Sql } from '../ports/sql.ts';
import { anOrderId, someNewEvent } from '../testing/events.ts';
import { gate } from '../testing/gate.ts';
import { waitFor } from '../testing/wait.ts';
import { accounts, brokenBus, openSqlHarness, recordingBus, type SqlHarness } from './sql-harness.ts';

describe('sql migrations', () => {
  let harness: SqlHarness;

  beforeAll(async () => {
    harness = await openSqlHarness();
  });

  afterAll(() => harness.close());

  const aFolder: SqlHarness['aFolder'] = (files) => harness.aFolder(files);

  const open: SqlHarness['open'] = (...asked) => harness.open(...asked);

  const counting = { '001_count.sql': 'create table runs (n int); insert into runs values (1);' };

  describe('migrations', () => {
    test('run once, in the schema of their service, by five processes that start together', async () => {
      const folder = await aFolder({ ...counting, '002_more.sql': 'insert into runs values (2);' });
      const all = await Promise.all(Array.from({ length: 5 }, () => open('counted', folder)));
      expect((await all[4]!.query('select n from counted.runs order by n')).rows).toEqual([
        { n: 1 },
        { n: 2 },
      ]);
      expect((await all[0]!.query('select name from _migrations order by name')).rows).toEqual([
        { name: '001_count.sql' },
        { name: '002_more.sql' },
      ]);
    });

    test('that are new run on top', async () => {
      await open('growing', await aFolder(counting));
      const sql = await open(
        'growing',
        await aFolder({ ...counting, '002_more.sql': 'insert into runs values (2);' }),
      );
      expect((await sql.query('select n from runs order by n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
    });

    test('that changed or disappeared stop the start and are named', async () => {
      await open('edited', await aFolder(counting));
      const edited = await aFolder({ '001_count.sql': 'create table other (n int);' });
      await expect(open('edited', edited)).rejects.toThrow(
        /^The data of edited was written by a version before 1\.0, .*\(001_count\.sql differs\)\. Go on with the version that wrote it/,
      );
      const renamed = await aFolder({ '001_a_name.sql': counting['001_count.sql'] });
      await expect(open('edited', renamed)).rejects.toThrow('001_count.sql differs');
      const more = { ...counting, '002_more.sql': 'insert into runs values (2);' };
      await open('edited', await aFolder(more));
      await expect(
        open('edited', await aFolder({ ...more, '002_more.sql': 'insert into runs values (3);' })),
      ).rejects.toThrow('002_more.sql of edited is not the file that ran on this data.');
    });

    test('of a newer version do not stop an older one', async () => {
      await open('newer', await aFolder({ ...counting, '002_more.sql': 'alter table runs add note text' }));
      const older = await open('newer', await aFolder(counting));
      await older.query('insert into runs (n) values (7)');
      expect((await older.query('select from _migrations')).rowCount).toBe(2);
    });

    test('that fail leave nothing behind', async () => {
      const folder = await aFolder({
        ...counting,
        '002_wrong.sql': 'create table half (n int); select nonsense;',
      });
      await expect(open('failing', folder)).rejects.toThrow(
        /^002_wrong\.sql could not change the data of failing: .*nonsense.*\. The former version still opens it/,
      );
      const mended = await open('failing', await aFolder(counting));
      expect((await mended.query('select n from runs')).rows).toEqual([{ n: 1 }]);
      expect((await mended.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }]);
    });

    test('run up to those of a backup, and the rest later', async () => {
      const files = { ...counting, '002_more.sql': 'insert into runs values (2);' };
      const [set] = setsOfService('restored', await aFolder(files));
      await harness.migrate(set!, { upTo: ['001_count.sql'] });
      expect(await harness.inspect([set!])).toMatchObject([
        { applied: ['001_count.sql'], pending: ['002_more.sql'] },
      ]);
      await expect(harness.migrate(set!, { upTo: ['001_count.sql', '003_later.sql'] })).rejects.toThrow(
        '003_later.sql of restored belongs to a newer version',
      );
      await harness.migrate(set!);
      expect(await harness.inspect([set!])).toMatchObject([{ pending: [] }]);
    });

    test('are compared without running any', async () => {
      const set = { schema: 'compared', table: '_migrations' as const };
      const files = { ...counting, '002_more.sql': 'insert into runs values (2);' };
      const [older, newer] = [await aFolder(counting), await aFolder(files)];
      const state = { schema: 'compared', applied: [], pending: [], changed: [], newer: [] };
      const compared = async (folder: URL) => (await harness.inspect([{ ...set, folder }]))[0];
      expect(await compared(newer)).toEqual({ ...state, pending: ['001_count.sql', '002_more.sql'] });
      await open('compared', newer);
      expect(await compared(newer)).toEqual({ ...state, applied: ['001_count.sql', '002_more.sql'] });
      expect(await compared(older)).toEqual({
        ...state,
        applied: ['001_count.sql'],
        newer: ['002_more.sql'],
      });
      const edited = await aFolder({ ...files, '002_more.sql': 'select 1;' });
      expect(await compared(edited)).toEqual({
        ...state,
        applied: ['001_count.sql'],
        changed: ['002_more.sql'],
      });
    });

    test('are numbered without a gap', async () => {
      await expect(open('gap', await aFolder({ '002_late.sql': 'select 1' }))).rejects.toThrow(
        '002_late.sql',
      );
      await expect(open('unnumbered', await aFolder({ 'first.sql': 'select 1' }))).rejects.toThrow(
        'first.sql',
      );
    });
  });

  describe('concurrent migrations', () => {
    const books = {
      '001_books.sql': 'create table books (id int, title text); insert into books values (1, $$a$$);',
    };
    const indexed = {
      ...books,
      '002_by_title.sql':
        '-- concurrently\ncreate index concurrently if not exists books_by_title on books (title);\n',
    };

    test('run once by five processes that start together', async () => {
      const folder = await aFolder(indexed);
      const all = await Promise.all(Array.from({ length: 5 }, () => open('beside', folder)));
      const { rows } = await all[0]!.query('select name from _migrations order by name');
      expect(rows.map(({ name }) => name)).toEqual(['001_books.sql', '002_by_title.sql']);
      expect(await validity(all[0]!, 'books_by_title')).toBe(true);
    });

    test('allow writes while an index is created', async () => {
      const sql = await open('writable', await aFolder(books));
      const [held, begun] = [gate(), gate()];
      // Creating an index concurrently waits for running transactions.
      const writing = sql.transaction(async (tx) => {
        await tx.query(`insert into books values (2, 'b')`);
        begun.open();
        await held.opened;
      });
      await begun.opened;
      const newer = open('writable', await aFolder(indexed));
      await waitFor(async () => (await validity(sql, 'books_by_title')) === false);
      await sql.query(`insert into books values (3, 'c')`);
      held.open();
      await writing;
      await newer;
      expect(await validity(sql, 'books_by_title')).toBe(true);
    });

    test('start over when a crash left an invalid index', async () => {
      const sql = await open('crashed', await aFolder(books));
      await sql.query(`insert into books values (2, 'a')`);
      await expect(
        sql.query('create unique index concurrently books_by_title on books (title)'),
      ).rejects.toThrow();
      expect(await validity(sql, 'books_by_title')).toBe(false);
      await open('crashed', await aFolder(indexed));
      expect(await validity(sql, 'books_by_title')).toBe(true);
    });

    test('wait for a long transaction without blocking others', async () => {
      const sql = await open('patient', await aFolder(books));
      const [held, begun] = [gate(), gate()];
      const writing = sql.transaction(async (tx) => {
        await tx.query(`insert into books values (2, 'slow')`);
        begun.open();
        await held.opened;
      });
      await begun.opened;
      const column = { '002_pages.sql': 'alter table books add column pages int;' };
      let done = false;
      const upgraded = open('patient', await aFolder({ ...books, ...column })).then(() => (done = true));
      const isWaiting = async () =>
        (await sql.query(`select from pg_locks where relation = 'patient.books'::regclass and not granted`))
          .rowCount === 1;
      // The migration retries its lock with a timeout, and lets writers pass in between.
      for (let times = 0; times < 2; times++) {
        await waitFor(isWaiting);
        await sql.query('insert into books values ($1, $2)', [3 + times, 'quick']);
        await waitFor(async () => !(await isWaiting()));
      }
      expect(done).toBe(false);
      held.open();
      await writing;
      await upgraded;
      expect((await sql.query('select pages from books')).rowCount).toBe(4);
    });

    const validity = async (sql: Sql, index: string): Promise<boolean | undefined> =>
      (
        await sql.query<{ valid: boolean }>(
          'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
          [index],
        )
      ).rows[0]?.valid;
  });
});

describe('sql write', () => {
  let harness: SqlHarness;

  let sql: Sql;

  const { events, bus } = recordingBus();

  beforeAll(async () => {
    harness = await openSqlHarness();
    sql = await harness.open('bank', await harness.aFolder(accounts), bus);
  });

  afterAll(() => harness.close());

  /** Moves the whole balance of an account that has exactly this much to a new one. */
  const moved = (from: string, expected: number, to: string) => ({
    steps: `written as (update accounts set balance = 0 where name = $1 and balance = $2 returning name),
    opened as (insert into accounts select $3, $2 from written)`,
    values: [from, expected, to],
  });

  const balances = async () =>
    Object.fromEntries(
      (await sql.query<{ name: string; balance: number }>('select name, balance from accounts')).rows.map(
        ({ name, balance }) => [name, balance],
      ),
    );

  const outboxRows = async (of: Sql) => (await of.query('select from _outbox')).rowCount;

  test('a write does all its steps in one statement, and stores its events and jobs', async () => {
    await sql.query(`insert into accounts values ('first', 100)`);
    const key = anOrderId();
    const job = { name: 'receipt', payload: { of: key }, key };
    expect(
      await sql.write({
        ...moved('first', 100, 'second'),
        events: [someNewEvent(key)],
        jobs: [job],
        sequence: 3,
      }),
    ).toBe(true);
    expect(await balances()).toMatchObject({ first: 0, second: 100 });
    await waitFor(() => events.some((event) => event.key === key));
    expect(await harness.jobs('job:bank:receipt')).toMatchObject([{ payload: { of: key } }]);
    expect(events.find((event) => event.key === key)).toMatchObject({ sequence: 3 });
    await waitFor(async () => (await outboxRows(sql)) === 0);
  });

  test('that writes nothing stores no events and jobs', async () => {
    const key = anOrderId();
    const before = await balances();
    expect(await sql.write({ ...moved('second', 1, 'third'), events: [someNewEvent(key)] })).toBe(false);
    expect(await sql.write(moved('second', 1, 'third'))).toBe(false);
    expect(await balances()).toEqual(before);
    const later = anOrderId();
    await sql.transaction((tx) => tx.publish([someNewEvent(later)]));
    await waitFor(() => events.some((event) => event.key === later));
    expect(events.some((event) => event.key === key)).toBe(false);
  });

  test('whose step fails does nothing', async () => {
    const key = anOrderId();
    const before = await balances();
    const failing = sql.write({ ...moved('second', 100, 'first'), events: [someNewEvent(key)] });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await balances()).toEqual(before);
    await waitFor(async () => (await outboxRows(sql)) === 0);
    expect(events.some((event) => event.key === key)).toBe(false);
  });

  test('with an invalid event is not done', async () => {
    const before = await balances();
    await expect(
      sql.write({ ...moved('second', 100, 'third'), events: [someNewEvent('not an order')] }),
    ).rejects.toThrow();
    expect(await balances()).toEqual(before);
  });

  test('that competes with another is done by one of them', async () => {
    await sql.query(`insert into accounts values ('shared', 50)`);
    const both = await Promise.all(['left', 'right'].map((to) => sql.write(moved('shared', 50, to))));
    expect(both.filter(Boolean)).toHaveLength(1);
  });

  test('applies an event once, whatever it finds', async () => {
    await sql.query(`insert into accounts values ('received', 7)`);
    const key = anOrderId();
    const received = {
      eventId: key,
      steps: `written as (update accounts set balance = balance + 1 from unseen where name = $1 returning name)`,
      values: ['received'],
      events: [someNewEvent(key)],
    };
    expect([await sql.write(received), await sql.write(received)]).toEqual([true, false]);
    expect(await balances()).toMatchObject({ received: 8 });
    await waitFor(() => events.some((event) => event.key === key));
    // A write that found nothing is not tried again.
    const early = { ...received, eventId: anOrderId(), values: ['nobody'], events: [] };
    expect([await sql.write(early), await sql.write({ ...early, values: ['received'] })]).toEqual([
      false,
      false,
    ]);
  });

  test('keeps its events while nobody takes them', async () => {
    const shop = await harness.open('shop', await harness.aFolder(accounts), brokenBus);
    await shop.query(`insert into accounts values ('first', 1)`);
    await shop.write({ ...moved('first', 1, 'second'), events: [someNewEvent(anOrderId())] });
    expect(await outboxRows(shop)).toBe(1);
  });
});
