import { expect, test } from '@jest/globals';
import { readPair, readTyped } from './manual.ts';

test.each([
  ['4.637214', '-75.487031'],
  ['4,637214', '−75,487031'],
  [' 4.637214° ', '-75.487031°'],
])('%s and %s are a place', (latitude, longitude) => {
  expect(readTyped({ latitude, longitude })).toEqual({
    kind: 'place',
    latitude: 4.637214,
    longitude: -75.487031,
  });
});

test.each([
  ['', '-75', 'latitude', 'missing'],
  ['4', '', 'longitude', 'missing'],
  ['north', '-75', 'latitude', 'number'],
  ['95', '-75', 'latitude', 'range'],
  ['4.6', '75.4', 'longitude', 'minus'],
])('%j and %j are not: %s, %s', (latitude, longitude, field, why) => {
  expect(readTyped({ latitude, longitude })).toEqual({ kind: 'wrong', field, why });
});

test('nothing typed is no place', () => {
  expect(readTyped({ latitude: ' ', longitude: '' })).toEqual({ kind: 'none' });
});

test('a pair copied from a map fills both fields', () => {
  expect(readPair('4.637214, -75.487031')).toEqual({ latitude: '4.637214', longitude: '-75.487031' });
  expect(readPair('4.637214')).toBeUndefined();
});
