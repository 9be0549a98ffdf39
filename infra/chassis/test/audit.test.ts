import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditAction } from '@arboleda/contracts/audit.ts';
import { type Audited, auditedRead, changedFields, withAudit } from '../audit/audit.ts';
import { readArguments, reportOf } from '../audit/command.ts';
import { readLogged, verifyLog } from '../audit/verify.ts';
import { withContext } from '../context.ts';
import type { Sql, Transaction } from '../ports/sql.ts';
import { waitFor } from '../testing/wait.ts';
import { accounts, openSqlHarness, type SqlHarness } from './sql-harness.ts';

const ANA = { kind: 'admin', id: 'ana', name: 'Ana Gómez', email: 'ana@example.org', role: 'owner' } as const;
const ROWS = 12;

const asAna = <T>(run: () => T, action: AuditAction = 'order.edited'): T =>
  withContext({ correlationId: 'corr-1' }, () => withAudit({ by: ANA, action }, run));
const edited = (trees: number): Audited => ({
  object: { type: 'order', id: 'f'.repeat(24) },
  orderId: 'f'.repeat(24),
  before: { trees: trees - 1 },
  after: { trees },
});

describe('the audit log', () => {
  let harness: SqlHarness;
  beforeAll(async () => {
    harness = await openSqlHarness();
  });
  afterAll(() => harness.close());
  let opened = 0;
  const open = async () => harness.open(`audited_${++opened}`, await harness.aFolder(accounts));
  const entries = async (sql: Sql) =>
    (
      await sql.query<{ entry: Record<string, unknown> }>('select entry from _audit_log order by seq')
    ).rows.map(({ entry }) => entry);

  test('has who did what to what, with the correlation id, in the transaction of the change', async () => {
    const sql = await open();
    await asAna(() => sql.transaction((tx) => tx.audit(edited(5))));
    expect(await entries(sql)).toEqual([
      {
        at: expect.any(String),
        by: ANA,
        action: 'order.edited',
        object: { type: 'order', id: 'f'.repeat(24) },
        orderId: 'f'.repeat(24),
        before: { trees: 4 },
        after: { trees: 5 },
        correlationId: 'corr-1',
      },
    ]);
  });

  test('has no row of a change that failed', async () => {
    const sql = await open();
    const failing = asAna(() =>
      sql.transaction(async (tx) => {
        await tx.audit(edited(5));
        await tx.query(`insert into accounts values ('a', null)`);
      }),
    );
    await expect(failing).rejects.toThrow();
    expect(await entries(sql)).toEqual([]);
  });

  test('is written with a statement that writes, and not with one that did not', async () => {
    const sql = await open();
    const put = () =>
      asAna(() =>
        sql.write({
          steps: `written as (insert into accounts values ($1, 1) on conflict do nothing returning name)`,
          values: ['a'],
          audit: [edited(5)],
        }),
      );
    expect([await put(), await put()]).toEqual([true, false]);
    expect(await entries(sql)).toHaveLength(1);
  });

  test('is silent about changes that no admin makes', async () => {
    const sql = await open();
    await sql.transaction((tx) => tx.audit(edited(5)));
    await withAudit(undefined, () => sql.transaction((tx) => tx.audit(edited(5))));
    expect(await entries(sql)).toEqual([]);
  });

  test('has rows without gaps when many are written at once', async () => {
    const sql = await open();
    const many = Array.from({ length: 40 }, (_, n) =>
      asAna(() => sql.transaction((tx) => tx.audit(edited(n)))),
    );
    await Promise.all(many);
    expect(await verify(sql)).toMatchObject({ rows: 40, faults: [] });
  });

  test('has one row for an admin, list and filter within an hour', async () => {
    const sql = await open();
    const list = (query: Record<string, unknown>, who = ANA.id as string) =>
      withAudit({ by: { ...ANA, id: who }, action: 'order.listed' }, async () => {
        const { read, key } = auditedRead(query);
        await sql.auditRead(key, read);
      });
    await list({ status: 'pending', limit: 25 });
    await list({ status: 'pending', limit: 25, cursor: 'next' });
    await list({ status: 'planted', q: 'lucía@example.org' });
    await list({ status: 'pending' }, 'luis');
    const written = await entries(sql);
    expect(written).toMatchObject([
      { action: 'order.listed', after: { status: 'pending' } },
      { after: { status: 'planted' }, withheld: ['q'] },
      { by: { id: 'luis' } },
    ]);
    expect(JSON.stringify(written)).not.toContain('lucía');
    await sql.query(`update _audit_reads set at = at - interval '61 minutes'`);
    await list({ status: 'pending' });
    expect(await entries(sql)).toHaveLength(4);
  });

  test('has rows of lists that are opened at once, while rows of other lists are being written', async () => {
    const sql = await open();
    const list = (query: Record<string, unknown>) =>
      asAna(() => {
        const { read, key } = auditedRead(query);
        return sql.auditRead(key, read);
      }, 'order.listed');
    const statuses = ['pending', 'assigned', 'planted'];
    for (const status of statuses) await list({ status });
    await sql.query(`update _audit_reads set at = at - interval '61 minutes'`);
    await sql.transaction(async (tx) => {
      const { key } = asAna(() => auditedRead({ status: 'planted' }), 'order.listed');
      const locked = await tx.query('select from _audit_reads where key = $1 for update', [key]);
      expect(locked.rowCount).toBe(1);
      await Promise.all([list({ status: 'pending' }), list({ status: 'assigned' })]);
    });
    expect(await entries(sql)).toHaveLength(5);
    expect(await verify(sql)).toMatchObject({ rows: 5, faults: [] });
  });

  const verify = async (sql: Pick<Transaction, 'query'>, logged: string[] = []) => {
    const { rows } = await sql.query<{ schema: string }>('select current_schema as schema');
    return verifyLog(
      (text, values) => sql.query(text, values),
      rows[0]!.schema,
      logged.map((one) => readLogged(one)!),
    );
  };

  test('names its last row in the process log as soon as it is stored', async () => {
    const sql = await open();
    const named = () =>
      harness.logs.flatMap(({ audit }) => (typeof audit === 'string' ? [audit] : [])).at(-1);
    for (let n = 1; n <= 3; n++) {
      await asAna(() => sql.transaction((tx) => tx.audit(edited(n))));
      const { last } = await verify(sql);
      await waitFor(() => named() === last);
    }
  });

  describe('npm run audit -- verify', () => {
    let sql: Sql;
    let logged: string;
    beforeAll(async () => {
      sql = await open();
      for (let n = 1; n <= ROWS; n++) await asAna(() => sql.transaction((tx) => tx.audit(edited(n))));
      logged = (await verify(sql)).last;
    });

    /** Rolled back, so each manipulation meets a whole log. */
    const manipulated = async (statements: string, expected: string[] = []) => {
      const undo = new Error('undo');
      let verdict: Awaited<ReturnType<typeof verify>> | undefined;
      await sql
        .transaction(async (tx) => {
          for (const statement of statements.split(';'))
            if (statement.trim()) await tx.query(statement.replaceAll(' #', ';'));
          verdict = await verify(tx, expected);
          throw undo;
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error;
        });
      return verdict!.faults;
    };

    test('says that an untouched log is whole', async () => {
      expect(await verify(sql)).toMatchObject({ rows: ROWS, faults: [] });
      expect(reportOf([await verify(sql)])).toMatch(/12 rows .* whole /);
    });

    const rehash = (from: number) =>
      `
      do $$ declare r record; p text; begin
        select hash into p from _audit_log where seq = ${from - 1};
        for r in select * from _audit_log where seq >= ${from} order by seq loop
          p := coalesce(p, current_schema::text);
          update _audit_log set previous_hash = p,
            hash = encode(sha256(convert_to(p || ' ' || r.seq || ' ' || r.entry::text, 'UTF8')), 'hex')
          where seq = r.seq returning hash into p;
        end loop;
        update _audit_head set hash = p, seq = (select max(seq) from _audit_log);
      end $$`.replaceAll(';', ' #');
    const replacing = (seq: number) =>
      `update _audit_log set entry = replace(entry::text, '"trees":${seq}', '"trees":99')::json where seq = ${seq}`;
    const copy = (from: number, to: number, hash = 'hash') =>
      `insert into _audit_log (seq, entry, previous_hash, hash) select ${to}, entry, previous_hash, ${hash} from _audit_log where seq = ${from}`;

    test.each([
      [
        'a changed author',
        `update _audit_log set entry = replace(entry::text, 'Ana', 'Eva')::json where seq = 5`,
        /row 5 was changed/,
      ],
      [
        'a changed time',
        `update _audit_log set entry = replace(entry::text, '"at":"2', '"at":"1')::json where seq = 5`,
        /row 5 was changed/,
      ],
      [
        'a changed action',
        `update _audit_log set entry = replace(entry::text, 'edited', 'noted')::json where seq = 5`,
        /row 5 was changed/,
      ],
      [
        'a changed object',
        `update _audit_log set entry = replace(entry::text, 'ffff', 'eeee')::json where seq = 5`,
        /row 5 was changed/,
      ],
      ['a changed value', replacing(5), /row 5 was changed/],
      [
        'a changed correlation id',
        `update _audit_log set entry = replace(entry::text, 'corr-1', 'corr-2')::json where seq = 5`,
        /row 5 was changed/,
      ],
      [
        'changed white space',
        `update _audit_log set entry = (entry::text || ' ')::json where seq = 5`,
        /row 5 was changed/,
      ],
      ['a changed hash', `update _audit_log set hash = repeat('0', 64) where seq = 5`, /row 5 was changed/],
      [
        'a changed hash of the row before',
        `update _audit_log set previous_hash = repeat('0', 64) where seq = 5`,
        /row 5 was changed/,
      ],
      ['a changed number', `update _audit_log set seq = 77 where seq = 5`, /row 5 is missing/],
      ['a deleted first row', `delete from _audit_log where seq = 1`, /row 1 is missing/],
      ['a deleted row in between', `delete from _audit_log where seq = 6`, /row 6 is missing/],
      ['several deleted rows', `delete from _audit_log where seq between 4 and 7`, /rows 4 to 7 are missing/],
      ['a deleted last row', `delete from _audit_log where seq = ${ROWS}`, /row 12 is missing at the end/],
      ['all rows deleted', `delete from _audit_log`, /rows 1 to 12 are missing at the end/],
      [
        'two rows swapped',
        `update _audit_log set seq = 1000 where seq = 3; update _audit_log set seq = 3 where seq = 4; update _audit_log set seq = 4 where seq = 1000`,
        /row 3 was changed or moved/,
      ],
      [
        'two contents swapped',
        `update _audit_log a set entry = b.entry from _audit_log b where (a.seq, b.seq) in ((3, 4), (4, 3))`,
        /row 3 was changed or moved/,
      ],
      ['a copied row at the end', copy(3, ROWS + 1), /row 13 was changed or moved/],
      ['a copied row before the first', copy(3, 0), /row 0 was changed/],
      [
        'a row inserted with a hash of its own',
        `${copy(ROWS, ROWS + 1, `encode(sha256(convert_to(previous_hash || ' ${ROWS + 1} ' || entry::text, 'UTF8')), 'hex')`)}`,
        /does not follow|were inserted/,
      ],
      [
        'a changed row with a new hash',
        `${replacing(5)}; update _audit_log set hash = encode(sha256(convert_to(previous_hash || ' 5 ' || entry::text, 'UTF8')), 'hex') where seq = 5`,
        /row 6 does not follow row 5/,
      ],
      [
        'a row that is listed under another time',
        `alter table _audit_log alter column at drop expression; update _audit_log set at = '2020-01-01T00:00:00.000Z' where seq = 5`,
        /row 5 is listed under another time or order/,
      ],
      [
        'a row that is listed under no order',
        `alter table _audit_log alter column order_id drop expression; update _audit_log set order_id = null where seq = 5`,
        /row 5 is listed under another time or order/,
      ],
      ['a changed head', `update _audit_head set hash = repeat('0', 64)`, /the head of the log was changed/],
      ['a deleted head', `delete from _audit_head`, /the head of the log is missing/],
      [
        'rows and head cut off',
        `delete from _audit_log where seq > 9; update _audit_head set seq = 9, hash = (select hash from _audit_log where seq = 9)`,
        /rows 10 to 12 are missing at the end: a log or a backup names row 12/,
      ],
      [
        'a log with new hashes from a changed row on',
        `${replacing(5)}; ${rehash(5)}`,
        /row 12 is not the one that a log or a backup names/,
      ],
      [
        'a log with all hashes made anew',
        `delete from _audit_log where seq = 12; ${rehash(1)}`,
        /row 12 is missing at the end: a log or a backup names row 12/,
      ],
    ])('finds %s', async (_what, statements, fault) => {
      const [first] = (
        await sql.query<{ last: string }>(
          `select current_schema || ':' || seq || ':' || hash as last from _audit_head`,
        )
      ).rows;
      const faults = await manipulated(statements, [first!.last]);
      expect(faults.join('. ')).toMatch(fault);
    });

    test('understands rows as a log or a backup names them', () => {
      const row = `orders:12:${'a'.repeat(64)}`;
      expect(readArguments(['verify', '--expect', row, '--expect', '-'])).toEqual({
        logged: [{ service: 'orders', seq: 12, hash: 'a'.repeat(64) }],
        fromInput: true,
      });
      for (const wrong of [[], ['verify', 'now'], ['verify', '--expect', 'orders:12'], ['--all']])
        expect(() => readArguments(wrong)).toThrow('npm run audit -- verify');
      expect(logged).toContain(':12:');
    });
  });

  test('names changed fields only, and not the values that it withholds', () => {
    const before = { trees: 1, email: 'a@example.org', place: 'Salento' };
    const after = { trees: 2, email: 'b@example.org', place: 'Salento' };
    expect(changedFields(before, after, ['email', 'place'])).toEqual({
      before: { trees: 1 },
      after: { trees: 2 },
      withheld: ['email'],
    });
  });
});
