import { describe, expect, test } from '@jest/globals';
import { EXCEPTIONS } from '../sql/lint/exceptions.ts';
import { migrationFolders } from '../sql/lint/folders.ts';
import { objections } from '../sql/lint/rules.ts';
import { readMigrations, toMigration } from '../sql/migration.ts';
import { identifier } from '../sql/pool.ts';
import { prepared } from '../sql/prepared.ts';
import { compileWhere, path, sortable } from './conditions.ts';
import { listsOf } from './list-tables.ts';
import { compileListCount, listedBy } from './lists.ts';
import { compileQuery, compileSource } from './query.ts';

const hex = (text: string) => JSON.stringify(Buffer.from(text).toString('hex'));

const LISTS = listsOf('forest', {
  name: 'trees',
  indexes: [{ name: 'uses', list: 'uses', by: ['status', 'unpaid'] }],
});

const SHADY = { uses: { all: ['shade'] }, unpaid: { exists: false }, status: 'open' };

const words = (place: string) =>
  `items @> array(select hashtextextended(word collate "C", 0) from unnest(${place}::text[]) as word)`;

const markOf = (hash: string) => `((${hash} & 65535) - 32768)::smallint`;

const isIn = { small: 'hashtextextended(id, 0) & 63 = 0', large: 'hashtextextended(id, 0) & 15 = 0' };

const listed = `${LISTS[0]!.table} where ${words('$1')} and key_2 is null and key_1 = $2::jsonb`;

describe('a query', () => {
  test('continues behind a place by one comparison of rows when all fields go one way', () => {
    const { text, values } = compileQuery('t', {
      where: { status: 'open' },
      sort: [
        { field: 'at', direction: 'desc' },
        { field: '_id', direction: 'desc' },
      ],
      after: ['2026', 'x'],
      limit: 5,
    });
    expect(text).toContain(`(${sortable('at')}, ${sortable('_id')}) < ($3::jsonb, $4::jsonb)`);
    expect(text).toContain(
      `order by ${sortable('at')} desc nulls last, ${sortable('_id')} desc nulls last limit $1`,
    );
    expect(values).toEqual([5, hex('open'), hex('2026'), hex('x')]);
  });

  test('continues step by step when they do not', () => {
    const { text } = compileQuery('t', {
      sort: [
        { field: 'at', direction: 'desc' },
        { field: '_id', direction: 'asc' },
      ],
      after: ['2026', 'x'],
    });
    expect(text).toContain(
      `((${sortable('at')} < $1::jsonb) or (${sortable('at')} = $1::jsonb and ${sortable('_id')} > $2::jsonb))`,
    );
  });

  test('cannot continue behind a place that does not fit its order', () => {
    expect(() => compileQuery('t', { after: ['x'] })).toThrow('after');
  });

  test('leaves out fields, whose names are values', () => {
    const { text, values } = compileQuery('t', { without: ['words'] });
    expect(text).toBe('select doc - $1::text[] as doc from t where true');
    expect(values).toEqual([['words']]);
  });
});

describe('a query by words', () => {
  const sort = [{ field: 'at', direction: 'desc' }] as const;

  test('sorts few, and looks up each of many in the order that is wanted until it met enough', () => {
    const { text, values } = compileQuery('t', { where: SHADY, sort, limit: 20 }, LISTS);
    const told = `${words('$2')} and key_2 is null and key_1 = $3::jsonb`;
    expect(text).toContain(`from ${LISTS[0]!.table} where ${told} and ${isIn.small} limit 32)`);
    expect(text).toContain(`id = any(array(select id from ${LISTS[0]!.table} where ${told})) and`);
    const hash = 'hashtextextended($5::text collate "C", 0)';
    const one = `id = t.id and key_2 is null and key_1 = $6::jsonb and ${markOf(hash)} = any(marks) and ${hash} = any(items)`;
    expect(text).toContain(
      `from ${LISTS[0]!.table} where ${one} offset 0) and ${sortable('status')} = $7::jsonb order`,
    );
    const status = hex('open');
    expect(values).toEqual([20, ['shade'], status, status, 'shade', status, status]);
  });

  test('sorts very many by what the list knows where it does not lie in that order, and reads the documents of the page alone', () => {
    const by = [
      { field: 'status', direction: 'desc' },
      { field: '_id', direction: 'desc' },
    ] as const;
    const query = { where: { uses: { all: ['shade'] } }, sort: by, after: ['open', 'x'], limit: 20 };
    const { text } = compileQuery('t', query, LISTS);
    expect(text).toContain(`and ${isIn.small} limit 1563)`);
    expect(text).toContain(
      // Found by words before it is sorted.
      `and true offset 0) as few where true and (key_1, id) < ($3::jsonb, $4::text) order by key_1 desc nulls last, id desc nulls last limit $1))`,
    );
  });

  test('meets more in an order in which the list lies, either way, without a document', () => {
    const order = { made: 'desc', _id: 'desc' } as const;
    const index = { name: 'uses', list: 'uses', by: ['made'], order };
    const lists = listsOf('forest', { name: 'trees', indexes: [index] });
    const textOf = (direction: 'asc' | 'desc', fields = ['made', '_id']) => {
      const sorted = fields.map((field) => ({ field, direction }));
      return compileQuery('t', { where: { uses: { all: ['shade'] } }, sort: sorted, limit: 20 }, lists).text;
    };
    for (const [direction, missing] of [
      ['asc', 'first'],
      ['desc', 'last'],
    ] as const) {
      const sorted = `${direction} nulls ${missing}`;
      expect(textOf(direction)).toContain(`and ${isIn.small} limit 63)`);
      expect(textOf(direction)).toContain(`= any(items) order by key_1 ${sorted}, id ${sorted} limit $1)`);
    }
    for (const fields of [['made'], ['_id'], ['_id', 'made']])
      expect(textOf('desc', fields)).toContain('id = t.id');
  });

  test('without an end reads what the list tells', () => {
    const { text } = compileQuery('t', { where: { uses: { all: ['shade'] }, height: 3 } }, LISTS);
    expect(text).toContain(
      `id = any(array(select id from ${LISTS[0]!.table} where ${words('$1')} and true))`,
    );
    expect(text).toContain(`${sortable('height')} = $2::jsonb`);
  });

  test('of a list that is not kept reads documents', () => {
    expect(compileQuery('t', { where: SHADY }).text).toContain(`(doc #> '{uses}') @> $1::jsonb`);
    expect(listedBy(LISTS, { status: 'open' })).toBeUndefined();
    expect(listedBy(LISTS, { uses: { all: [] } })).toBeUndefined();
    expect(listedBy(LISTS, { uses: { all: ['shade'], exists: true } })).toBeUndefined();
  });
});

describe('what is counted', () => {
  test('is read as it lies when indexes know what is asked', () => {
    expect(compileSource('t', { status: 'open' }, LISTS)).toMatchObject({ from: 't' });
    expect(compileSource('t')).toEqual({ from: 't', text: 'true', values: [] });
    const days = { unpaid: { exists: false }, state: 'open', at: { gte: '2026', lt: '2027' } };
    expect(compileSource('t', days, LISTS)).toEqual({ from: 't', ...compileWhere(days) });
  });

  test('by words is told by the list alone, when it knows all that is asked', () => {
    const all = compileListCount(listedBy(LISTS, SHADY)!, undefined)!;
    expect(all.text).toContain(`(select null::jsonb as key from ${listed}) as counted group by key`);
    expect(all.values).toEqual([['shade'], hex('open')]);
    const { text } = compileListCount(listedBy(LISTS, SHADY)!, 'status')!;
    expect(text).toContain(
      `(select key_1 as key from ${listed} and key_1 <> 'null') as counted group by key`,
    );
    expect(compileListCount(listedBy(LISTS, SHADY)!, 'height')).toBeUndefined();
    expect(compileListCount(listedBy(LISTS, { ...SHADY, height: 3 })!, undefined)).toBeUndefined();
  });

  test('up to a bound is read no further, and in a sample alone when that has as many', () => {
    const { text, values } = compileListCount(listedBy(LISTS, SHADY)!, 'status', 1_001)!;
    const found = `select key_1 as key from ${listed} and key_1 <> 'null'`;
    const lacks = (sample: string) => `and not (select count(*) >= $3 from ${sample})`;
    expect(text).toContain(`small as materialized (${found} and ${isIn.small} limit $3)`);
    expect(text).toContain(`large as materialized (${found} and ${isIn.large} ${lacks('small')} limit $3)`);
    expect(text).toContain(`(${found} ${lacks('small')} ${lacks('large')} limit $3)`);
    expect(values).toEqual([['shade'], hex('open'), 1_001]);
  });

  test('by words and more is unpacked once, of what the list tells', () => {
    expect(compileSource('t', { ...SHADY, height: 3 }, LISTS)).toEqual({
      from: `(select doc || '{}' as doc from t where id = any(array(select id from ${listed})) offset 0) as unpacked`,
      text: `${sortable('unpaid')} is null and ${sortable('status')} = $3::jsonb and ${sortable('height')} = $4::jsonb`,
      values: [['shade'], hex('open'), hex('open'), '3'],
    });
  });
});

describe('a condition', () => {
  test('carries its values beside the text, never in it', () => {
    const { text, values } = compileWhere({ name: "x' or true --", height: 3, planted: true });
    expect(text).toBe(
      [
        `${sortable('name')} = $1::jsonb`,
        `${sortable('height')} = $2::jsonb`,
        `${sortable('planted')} = $3::jsonb`,
      ].join(' and '),
    );
    expect(values).toEqual([hex("x' or true --"), '3', 'true']);
  });

  test('that asks for nothing holds for everything', () => {
    expect(compileWhere()).toEqual({ text: 'true', values: [] });
    expect(compileWhere({ name: {} })).toEqual({ text: 'true', values: [] });
  });

  test('of a range compares only values of its kind', () => {
    const { text, values } = compileWhere({ height: { gte: 1, lt: 5 } });
    expect(text).toContain(`${sortable('height')} > '"g"'::jsonb and ${sortable('height')} < 'false'::jsonb`);
    expect(text).toContain(`${sortable('height')} >= $1::jsonb`);
    expect(text).toContain(`${sortable('height')} < $2::jsonb`);
    expect(values).toEqual(['1', '5']);
  });

  test('of a list asks what it holds, for nothing when nothing is asked for', () => {
    expect(compileWhere({ uses: { all: ['shade', "x' or true"] } })).toEqual({
      text: `(doc #> '{uses}') @> $1::jsonb`,
      values: [JSON.stringify(['shade', "x' or true"])],
    });
    expect(compileWhere({ uses: { all: [] } })).toEqual({ text: 'true', values: [] });
  });

  test('where no index is asked compares what is there, and brings only ranges into an order', () => {
    const isIndexed = (field: string) => field === 'name';
    const where = { name: 'Ceiba', planted: true, uses: { in: ['shade', 2] }, height: { lt: 5 } };
    const { text, values } = compileWhere(where, [], { isIndexed });
    expect(text).toContain(`${sortable('name')} = $1::jsonb and (doc #> '{planted}') = $2::jsonb`);
    expect(text).toContain(`(doc #> '{uses}') = any($3::jsonb[])`);
    expect(text).toContain(`${sortable('height')} < $4::jsonb`);
    expect(values).toEqual([hex('Ceiba'), 'true', ['"shade"', '2'], '5']);
  });

  test('of presence looks at the field alone', () => {
    expect(compileWhere({ 'a.b': { exists: false } }).text).toBe(`${sortable('a.b')} is null`);
  });
});

describe('a field name', () => {
  test('reaches into objects by dots', () => {
    expect(path('place.region')).toBe('{place,region}');
    expect(path('photos.0-a_B')).toBe('{photos,0-a_B}');
  });

  test.each(['', '.', 'a.', 'a b', "a'", 'a"', 'a}', 'a,b', 'ä', 'a\n', 'x'.repeat(201)])(
    'cannot be %p',
    (name) => {
      expect(() => path(name)).toThrow('cannot name a field');
    },
  );
});

test('plain names become part of SQL text, others do not', () => {
  expect(identifier('orders')).toBe('"orders"');
  expect(identifier('_outbox_2')).toBe('"_outbox_2"');
  for (const name of ['', 'Orders', '2nd', 'a-b', 'a"b', 'a b', 'a;', 'ä', 'x'.repeat(52)])
    expect(() => identifier(name)).toThrow('cannot name');
});

test('a text has one name, and another text another', () => {
  const [one, again, other] = ['select 1', 'select 1', 'select 2'].map((text) => prepared(text).name);
  expect(one).toEqual(expect.any(String));
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test('its name is short enough for PostgreSQL to keep all of it', () => {
  expect(prepared('select 1').name!.length).toBeLessThan(64);
});

test('a text and its values are passed on', () => {
  expect(prepared('select $1::int', [7])).toMatchObject({ text: 'select $1::int', values: [7] });
});

test.each(['select * from trees', 'insert into trees values (1) returning *', 'select t.*, 1 from trees t'])(
  'what answers all columns has none: %s',
  (text) => {
    expect(prepared(text)).not.toHaveProperty('name');
  },
);

test('counting all rows, or a product, is no answer of all columns', () => {
  expect(prepared('select count(*) from trees')).toHaveProperty('name');
  expect(prepared("select now() + $1 * interval '1 second'")).toHaveProperty('name');
});

test('texts without end get no names any more', () => {
  for (let n = 0; n < 400; n++) prepared(`select ${n} as n`);
  expect(prepared('select 400 as n')).not.toHaveProperty('name');
  expect(prepared('select 1')).toHaveProperty('name');
});

/** Rules against the second of two migrations. */
const rulesOf = (text: string): string[] =>
  objections('shop', [
    toMigration('001_first.sql', 'create table books (id text primary key, title text not null);'),
    toMigration('002_second.sql', text),
  ]).map(({ rule }) => rule);

describe('the version before runs on', () => {
  test.each([
    ['a table, and whatever belongs to it', 'create table authors (id text primary key); create unique index a on authors (id); insert into authors values (1);'],
    ['a column that may be empty', 'alter table books add column pages int;'],
    ['a column with a fixed value for those that do not know it', "alter table books add column kind text not null default 'print', add column at timestamptz default now();"],
    ['an index that is made beside the traffic', '-- concurrently\ncreate index concurrently if not exists b on books (title);'],
    ['a view', 'create or replace view shelf as select id, 1 as one from books;'],
    ['words in comments, strings and functions', "-- drop table books;\ncomment on table books is 'drop table books; truncate';\ncreate function f() returns void language sql as $$ delete from books; $$;"],
    ['a default that changes, and a column that may be empty now', 'alter table books alter column title set default 1, alter column title drop not null;'],
  ])('%s', (_, text) => expect(rulesOf(text)).toEqual([])); // prettier-ignore

  test.each([
    ['alter table books drop column title;', 'drops'],
    ['drop table books;', 'drops'],
    ['drop view shelf;', 'drops'],
    ['-- concurrently\ndrop index concurrently books_by_title;', 'drops'],
    ['alter table books rename column title to name;', 'renames'],
    ['alter table books rename to volumes;', 'renames'],
    ['alter table books alter column title type varchar(9);', 'changes a type'],
    ['alter table books alter title set data type int;', 'changes a type'],
    ['alter table books add column pages int not null;', 'refuses what the version before writes'],
    ['alter table books alter column title set not null;', 'refuses what the version before writes'],
    ['alter table books add constraint c exclude using gist (id with =);', 'refuses what the version before writes'],
    ['-- concurrently\ncreate unique index concurrently b on books (title);', 'refuses what the version before writes'],
    ['alter table books add column n int check (n > 0);', 'checks every row while nobody can write'],
    ['alter table books add constraint c check (title <> 1);', 'checks every row while nobody can write'],
    ['alter table books add column of text references authors;', 'checks every row while nobody can write'],
    ['alter table books add column code text unique;', 'makes an index while nobody can write'],
    ['create index b on books (title);', 'makes an index while nobody can write'],
    ['create index concurrently b on books (title);', 'makes an index while nobody can write'],
    ['alter table books add column at uuid default gen_random_uuid();', 'rewrites the table'],
    ["alter table books add column t text not null generated always as (title || 'x') stored;", 'rewrites the table'],
    ['alter table books add column n bigserial;', 'rewrites the table'],
    ["update books set title = 'b';", 'writes rows that others write'],
    ['delete from books;', 'writes rows that others write'],
    ['create trigger t after insert on books for each row execute function f();', 'runs in what the version before writes'],
    ['lock table books;', 'holds a long lock'],
    ['truncate books;', 'holds a long lock'],
    ['do $$ begin drop table books; end $$;', 'does what cannot be read'],
    ['create or replace function f() returns int language sql as $$ select 1 $$;', 'is not known to be harmless'],
    ['grant all on books to stranger;', 'is not known to be harmless'],
    ['alter table books add column a int, disable trigger t;', 'is not known to be harmless'],
  ])('is hurt by: %s', (text, rule) => expect(rulesOf(text)).toEqual([rule])); // prettier-ignore
});

test('no migration hurts the version before, but for the named ones', async () => {
  const folders = await migrationFolders();
  expect(folders.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['auth', 'pricing', 'payments', 'notifications', 'chassis']),
  );
  const found = (
    await Promise.all(folders.map(async ({ name, folder }) => objections(name, await readMigrations(folder))))
  ).flat();
  const isExcepted = ({ migration, rule }: { migration: string; rule: string }) =>
    EXCEPTIONS.some((one) => one.migration === migration && one.rule === rule);
  expect(found.filter((objection) => !isExcepted(objection))).toEqual([]);
  // An exception that nothing needs would let something else through.
  const isNeeded = ({ migration, rule }: { migration: string; rule: string }) =>
    found.some((objection) => objection.migration === migration && objection.rule === rule);
  expect(EXCEPTIONS.filter((exception) => !isNeeded(exception))).toEqual([]);
});
