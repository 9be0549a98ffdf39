import { describe, expect, test } from '@jest/globals';
import { storedField, toFilter, toFind } from './query.ts';

describe('a condition', () => {
  test('is held against the field inside of the stored document, the id against its own', () => {
    expect(toFilter({ name: 'Ceiba', 'place.altitude': 900, planted: true, _id: 'a' })).toEqual({
      'doc.name': { $eq: 'Ceiba' },
      'doc.place.altitude': { $eq: 900 },
      'doc.planted': { $eq: true },
      _id: { $eq: 'a' },
    });
  });

  test('of lists, ranges and presence becomes one of operators', () => {
    expect(toFilter({ height: { in: [1, 2], gte: 0, gt: 1, lte: 9, lt: 10, exists: true } })).toEqual({
      'doc.height': { $in: [1, 2], $gte: 0, $gt: 1, $lte: 9, $lt: 10, $exists: true },
    });
    expect(toFilter({ height: { exists: false } })).toEqual({ 'doc.height': { $exists: false } });
  });

  test('of a list becomes one of what it holds', () => {
    expect(toFilter({ uses: { all: ['shade', 'fruit'] } })).toEqual({
      'doc.uses': { $all: ['shade', 'fruit'] },
    });
  });

  test('that asks for nothing holds for everything', () => {
    expect(toFilter()).toEqual({});
    expect(toFilter({ name: {} })).toEqual({});
    expect(toFilter({ uses: { all: [] } })).toEqual({});
  });
});

describe('a field', () => {
  test.each(['', '$where', 'a.$', 'a b', 'a..b', 'ä', 'x'.repeat(201)])('cannot be called %p', (name) => {
    expect(() => storedField(name)).toThrow('cannot name a field');
  });
});

describe('a query', () => {
  const sort = [
    { field: 'at', direction: 'desc' as const },
    { field: '_id', direction: 'asc' as const },
  ];

  test('is sorted in the order of weight and limited', () => {
    expect(toFind({ sort, limit: 5 })).toEqual({
      filter: {},
      projection: { doc: 1 },
      sort: [
        ['doc.at', -1],
        ['_id', 1],
      ],
      limit: 5,
    });
    expect(toFind({}).limit).toBe(0);
  });

  test('leaves out what nobody reads', () => {
    expect(toFind({ without: ['words'] }).projection).toEqual({ 'doc.words': 0, outbox: 0, consumed: 0 });
    expect(toFind({ without: [] }).projection).toEqual({ doc: 1 });
  });

  test('continues behind a place, reading its index from there', () => {
    expect(toFind({ where: { at: { lt: '2027' } }, sort, after: ['2026', 'x'] }).filter).toEqual({
      $and: [
        { 'doc.at': { $lt: '2027' } },
        { 'doc.at': { $lte: '2026' } },
        {
          $or: [{ 'doc.at': { $lt: '2026' } }, { 'doc.at': { $eq: '2026' }, _id: { $gt: 'x' } }],
        },
      ],
    });
  });

  test('cannot continue behind a place that does not fit its order', () => {
    expect(() => toFind({ after: ['x'] })).toThrow('after');
    expect(() => toFind({ sort, after: ['x'] })).toThrow('after');
  });
});
