import { describe, expect, test } from '@jest/globals';
import { flagsOf, flagsWith, metresBetween, placeAndTimeFlags } from './flags.ts';

const bogota = { latitude: 4.711, longitude: -74.0721 };
const medellin = { latitude: 6.2442, longitude: -75.5812 };
const limits = { maxDistanceMetres: 5_000 };

describe('the way between two places', () => {
  test('is the one on the map', () => {
    expect(metresBetween(bogota, medellin) / 1000).toBeCloseTo(239, 0);
    expect(metresBetween(bogota, bogota)).toBe(0);
    expect(metresBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBe(20_015_112);
  });
  test('is short across the date line', () => {
    const metres = metresBetween({ latitude: 0, longitude: 179.999 }, { latitude: 0, longitude: -179.999 });
    expect(metres).toBeLessThan(300);
  });
});

describe('against a photo speaks', () => {
  test.each([
    ['nothing when it was taken at the border', { distanceMetres: 5_000 }, []],
    ['a place beyond it', { distanceMetres: 5_001 }, ['far-from-place']],
    [
      'nothing when the phone was not sure of the place',
      { distanceMetres: 5_900, accuracyMetres: 1_000 },
      [],
    ],
    ['nothing when no place is known', {}, []],
  ] as const)('%s', (_name, photo, flags) => {
    expect(placeAndTimeFlags(photo, {}, limits)).toEqual(flags);
  });

  const orderedAt = '2026-03-10T12:00:00.000Z';
  test.each([
    ['nothing when it was taken after the order', '2026-03-11T00:00:00.000Z', []],
    ['nothing when a clock may be wrong', '2026-03-08T12:00:00.000Z', []],
    ['that it is older than the order', '2026-03-08T11:59:59.000Z', ['taken-before-order']],
  ])('%s', (_name, takenAt, flags) => {
    expect(placeAndTimeFlags({ takenAt }, { orderedAt }, limits)).toEqual(flags);
    expect(placeAndTimeFlags({ takenAt }, {}, limits)).toEqual([]);
  });
});

test('flags are added to those there are, and told in the order of the catalogue', () => {
  const first = flagsWith({}, ['used-elsewhere']);
  const both = flagsWith(first, ['far-from-place', 'used-elsewhere']);
  expect(flagsOf(both)).toEqual(['far-from-place', 'used-elsewhere']);
  expect(both.isFlagged).toBe(true);
  expect(flagsWith({}, [])).toEqual({ flags: {}, isFlagged: false });
});
