import { expect, test } from '@jest/globals';
import { describeIndex } from './indexes.ts';

test('an index lies on the stored fields, and its name tells all of it', () => {
  expect(
    describeIndex({ name: 'waiting', fields: { 'progress.status': 'asc', at: 'desc', _id: 'asc' } }),
  ).toEqual({
    name: 'waiting: progress.status asc, at desc, _id asc',
    key: { 'doc.progress.status': 1, 'doc.at': -1, _id: 1 },
  });
});

test('a unique index passes over documents without the field', () => {
  expect(describeIndex({ name: 'by token', fields: { token: 'asc' }, unique: true })).toEqual({
    name: 'by token: unique token asc',
    key: { 'doc.token': 1 },
    unique: true,
    sparse: true,
  });
});

test('a unique index is on one field only', () => {
  const fields = { token: 'asc' as const, at: 'asc' as const };
  expect(() => describeIndex({ name: 'by token', fields, unique: true })).toThrow('by token');
});

test('an index of a list is on each of its words', () => {
  expect(describeIndex({ name: 'search', list: 'words' })).toEqual({
    name: 'search: list words',
    key: { 'doc.words': 1 },
  });
});
