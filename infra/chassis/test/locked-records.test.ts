import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type LockedRecords, lockedRecords } from '../locked-records.ts';
import type { Sql } from '../ports/sql.ts';
import { openSqlHarness, recordingBus, type SqlHarness } from './sql-harness.ts';

interface Bed {
  bed: string;
  owner: string;
  plants: number;
  uses: string[];
  crop?: { name: string } | undefined;
  since: Date;
}

interface Row {
  bed: string;
  owner: string;
  plants: string;
  uses: string[];
  crop: Bed['crop'] | null;
  since: Date;
}

const migration = `create table beds (bed text primary key, owner text unique not null, plants bigint not null,
  uses text[] not null, crop jsonb, since timestamptz not null, note text default 'none', seen_at timestamptz);`;

describe('records that are locked first', () => {
  let harness: SqlHarness;
  let sql: Sql;
  let other: Sql;
  const beds: LockedRecords<Bed> = lockedRecords<Bed, Row>({
    table: 'beds',
    key: 'bed',
    fixed: ['owner', 'since'],
    columns: ['plants', 'uses', 'crop'],
    stamped: 'seen_at',
    computed: 'plants > 5 as many',
    toRow: ({ plants, crop = null!, ...bed }) => ({ ...bed, plants: String(plants), crop }),
    fromRow: ({ bed, owner, plants, uses, crop, since }) => ({
      bed,
      owner,
      plants: Number(plants),
      uses,
      since,
      ...(crop && { crop }),
    }),
  });
  const aBed = (bed: string, plants = 1): Bed => ({
    bed,
    owner: `owner of ${bed}`,
    plants,
    uses: ['food', 'a "quote", and a comma'],
    since: new Date('2026-11-30T10:00:00.123Z'),
  });

  beforeAll(async () => {
    harness = await openSqlHarness();
    const folder = await harness.aFolder({ '001_beds.sql': migration });
    sql = await harness.open('garden', folder, recordingBus().bus);
    other = await harness.open('garden', folder, recordingBus().bus);
  });
  afterAll(() => harness.close());

  test('are read as they were added, one or several', async () => {
    const [one, two] = [aBed('a1', 9_007_199_254_740_991), { ...aBed('a2'), crop: { name: 'Maíz "dulce"' } }];
    await sql.transaction((tx) => beds.add(tx, one, two));
    expect(await beds.get(sql, 'a1')).toEqual(one);
    expect(await beds.find(sql, 'owner = $1', [two.owner])).toEqual(two);
    expect(await beds.select(sql, `where bed like 'a%' order by bed desc`)).toEqual([two, one]);
    expect(await beds.get(sql, 'nothing')).toBeUndefined();
    const { rows } = await sql.query(`${beds.reading} where bed = 'a2'`);
    expect(rows).toMatchObject([{ bed: 'a2', many: false }]);
  });

  test('write what changes, and nothing else', async () => {
    await beds.add(sql, aBed('b1'), aBed('b2'));
    await sql.transaction(async (tx) => {
      const locked = await beds.lockAll(tx, `bed like 'b%'`, []);
      await beds.put(tx, ...locked.map((bed) => ({ ...bed, plants: 7, uses: [], owner: 'another' })));
      await beds.put(tx);
    });
    expect(await beds.select(sql, `where bed like 'b%' order by bed`)).toEqual([
      { ...aBed('b1', 7), uses: [] },
      { ...aBed('b2', 7), uses: [] },
    ]);
    const { rows } = await sql.query(`select note, seen_at from beds where bed = 'b1'`);
    expect(rows).toEqual([{ note: 'none', seen_at: expect.any(Date) }]);
  });

  test('are refused by a unique index, with or without an error', async () => {
    await beds.add(sql, aBed('c1'));
    expect(await beds.tryAdd(sql, { ...aBed('c2'), owner: 'owner of c1' })).toBe(false);
    expect(await beds.tryAdd(sql, aBed('c2'))).toBe(true);
    const taken = { ...aBed('c3'), owner: 'owner of c1' };
    await expect(beds.add(sql, aBed('c4'), taken)).rejects.toMatchObject({ constraint: 'beds_owner_key' });
    await expect(sql.transaction((tx) => beds.change(tx, 'c3', () => taken))).rejects.toMatchObject({
      constraint: 'beds_owner_key',
    });
    expect(await beds.select(sql, `where bed in ('c3', 'c4')`)).toEqual([]);
  });

  test('stay as they are when nothing is decided, or deciding fails', async () => {
    await beds.add(sql, aBed('d1'));
    const change = (bed: string, decide: (bed: Bed | undefined) => Bed | undefined) =>
      sql.transaction((tx) => beds.change(tx, bed, decide));
    expect(await change('d1', () => undefined)).toBeUndefined();
    expect(await change('d2', (current) => current)).toBeUndefined();
    await expect(
      change('d1', () => {
        throw new Error('not allowed');
      }),
    ).rejects.toThrow('not allowed');
    expect(await beds.select(sql, `where bed like 'd%'`)).toEqual([aBed('d1')]);
  });

  test.each([['is new'] as const, [undefined]])(
    'lose nothing to changes of two processes at once, and are added once: %s',
    async (isNew) => {
      const bed = `e ${isNew}`;
      const grow = (db: Sql) =>
        db.transaction((tx) =>
          beds.change(tx, bed, (current) => aBed(bed, (current?.plants ?? 0) + 1), isNew),
        );
      await Promise.all(Array.from({ length: 40 }, (_, n) => grow(n % 2 ? sql : other)));
      expect(await beds.get(sql, bed)).toEqual(aBed(bed, 40));
    },
  );
});
