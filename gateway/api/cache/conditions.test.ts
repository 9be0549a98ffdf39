import { expect, test } from '@jest/globals';
import { names, partOf } from './conditions.ts';

test.each([
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=100-', { start: 100, end: 999 }],
  ['bytes=-10', { start: 990, end: 999 }],
  ['bytes=990-5000', { start: 990, end: 999 }],
  ['bytes=999-999', { start: 999, end: 999 }],
  ['bytes=1000-', undefined],
  ['bytes=20-10', undefined],
  ['bytes=-0', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=a-b', undefined],
  ['lines=0-1', undefined],
])('of a thousand bytes %s is %j', (range, part) => {
  expect(partOf(range, 1_000)).toEqual(part);
});

test.each([
  ['"a"', true],
  ['"b", "a"', true],
  ['"b","a"', true],
  ['W/"a"', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match: %s names "a": %j', (header, named) => {
  expect(names(header, '"a"')).toBe(named);
  expect(names(header, 'W/"a"')).toBe(named);
});
