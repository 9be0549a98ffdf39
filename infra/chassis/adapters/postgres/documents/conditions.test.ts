import { describe, expect, test } from '@jest/globals';
import { compileWhere, path, sortable } from './conditions.ts';

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
