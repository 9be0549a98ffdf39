import { describe, expect, test } from '@jest/globals';
import { compileQuery, compileSource, compileWhere, path, sortable } from './query.ts';

const hex = (text: string) => JSON.stringify(Buffer.from(text).toString('hex'));

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
    expect(text).toContain(`(${sortable('at')}, ${sortable('_id')}) < ($2::jsonb, $3::jsonb)`);
    expect(text).toContain(
      `order by ${sortable('at')} desc nulls last, ${sortable('_id')} desc nulls last limit $4`,
    );
    expect(values).toEqual([hex('open'), hex('2026'), hex('x'), 5]);
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

describe('what is counted', () => {
  test('is read as it lies when indexes know what is asked', () => {
    expect(compileSource('t', { status: 'open' })).toMatchObject({ from: 't' });
    expect(compileSource('t')).toEqual({ from: 't', text: 'true', values: [] });
  });

  test('is unpacked once when words find it, after what indexes know', () => {
    const where = { unpaid: { exists: false }, words: { all: ['ana'] }, status: 'open' };
    expect(compileSource('t', where)).toEqual({
      from: `(select doc || '{}' as doc from t where (doc #> '{words}') @> $1::jsonb and ${sortable('status')} = $2::jsonb offset 0) as unpacked`,
      text: `${sortable('unpaid')} is null`,
      values: ['["ana"]', hex('open')],
    });
  });

  test('is left to indexes when it lies between two days, as some of them know all that is asked', () => {
    const where = { unpaid: { exists: false }, state: 'open', at: { gte: '2026', lt: '2027' } };
    expect(compileSource('t', where)).toEqual({ from: 't', ...compileWhere(where) });
  });
});
