import { expect, test } from '@jest/globals';
import { prepared } from './prepared.ts';

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
