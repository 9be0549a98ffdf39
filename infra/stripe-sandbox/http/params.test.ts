import { describe, expect, test } from '@jest/globals';
import { decodeForm } from './form.ts';
import {
  email,
  flag,
  integer,
  limitedText,
  mergeMetadata,
  oneOf,
  readParams,
  required,
  text,
  texts,
} from './params.ts';

const read = (query: string) =>
  readParams(decodeForm(query), {
    amount: integer,
    email,
    live: flag,
    kind: oneOf('tree', 'photo'),
    name: limitedText(5),
    tags: texts,
  });

test('parameters are read into their types; what is not given is undefined', () => {
  expect(read('amount=-5&live=true&kind=tree&name=ceiba&tags[]=a&tags[]=b')).toEqual({
    amount: -5,
    email: undefined,
    live: true,
    kind: 'tree',
    name: 'ceiba',
    tags: ['a', 'b'],
  });
});

test.each([
  ['amount=1.5', 'amount'],
  ['amount=', 'amount'],
  ['amount=1e3', 'amount'],
  ['amount[a]=1', 'amount'],
  ['email=nobody', 'email'],
  ['live=yes', 'live'],
  ['kind=stone', 'kind'],
  ['name=guayacan', 'name'],
  ['tags=a', 'tags'],
  ['size=3', 'size'],
])('%s is refused by name', (query, param) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ body: expect.objectContaining({ param }) }));
});

test('what every request may carry is not unknown', () => {
  expect(() => read('key=pk_test&expand[]=a&_stripe_version=1')).not.toThrow();
});

test('a required parameter is missed by name', () => {
  expect(() => readParams(decodeForm(''), { name: required(text) })).toThrow('Missing required param: name.');
});

describe('metadata', () => {
  test('is merged: new over old, empty removes', () => {
    const given = decodeForm('m[b]=2&m[a]=').m as Record<string, string>;
    expect(mergeMetadata({ a: '1', c: '3' }, given)).toEqual({ b: '2', c: '3' });
  });

  test('has limits', () => {
    expect(() => mergeMetadata({}, { ['k'.repeat(41)]: 'v' })).toThrow(/40 characters/);
    expect(() => mergeMetadata({}, { k: 'v'.repeat(501) })).toThrow(/500 characters/);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']));
    expect(() => mergeMetadata({}, many)).toThrow(/50 keys/);
  });
});
