import { expect, test } from '@jest/globals';
import { isAway } from './away.ts';

const coded = (code: string) => Object.assign(new Error('no'), { code });

test('an engine that cannot be reached is told from one that says no', () => {
  expect(isAway(coded('ECONNREFUSED'))).toBe(true);
  expect(isAway(coded('57P03'))).toBe(true);
  expect(isAway(new Error('timeout exceeded when trying to connect'))).toBe(true);
  expect(isAway(Object.assign(new Error('no primary'), { name: 'MongoServerSelectionError' }))).toBe(true);
  expect(isAway(coded('28P01'))).toBe(false);
  expect(isAway(coded('42P01'))).toBe(false);
  expect(isAway(new TypeError('x is not a function'))).toBe(false);
  expect(isAway('ECONNREFUSED')).toBe(false);
  expect(isAway(undefined)).toBe(false);
});

test('also when the reason lies below', () => {
  expect(isAway(new Error('could not open', { cause: coded('ENOTFOUND') }))).toBe(true);
  expect(isAway(new AggregateError([new Error('one'), coded('ECONNREFUSED')]))).toBe(true);
});
