import { describe, expect, test } from '@jest/globals';
import { compileWhere, sortable } from './conditions.ts';
import { compileListCount, listedBy } from './lists.ts';
import { listsOf } from './list-tables.ts';
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
