import { describe, expect, test } from '@jest/globals';
import { day, firstName, moment, newPhotos, point, trees } from './words.ts';

const LATE = '2026-11-22T03:30:00Z';

describe('in mails', () => {
  test('days are those of Colombia', () => {
    expect(day(LATE, 'en')).toBe('November 21, 2026');
    expect(day(LATE, 'es')).toBe('21 de noviembre de 2026');
  });

  test('hours say whose they are', () => {
    expect(moment(LATE, 'en')).toMatch(/^November 21, 2026 at 10:30.PM GMT-5$/);
    expect(moment(LATE, 'es')).toMatch(/^21 de noviembre de 2026.*10:30.p\.\sm\..*(COT|GMT-5)$/);
  });

  test('things are counted by the rules of the language', () => {
    expect([1, 5, 1200].map((number) => trees(number, 'en'))).toEqual(['1 tree', '5 trees', '1,200 trees']);
    expect([1, 5, 1200].map((number) => trees(number, 'es'))).toEqual([
      '1 árbol',
      '5 árboles',
      '1.200 árboles',
    ]);
    expect([1, 3].map((number) => newPhotos(number, 'en'))).toEqual(['1 new photo', '3 new photos']);
    expect([1, 3].map((number) => newPhotos(number, 'es'))).toEqual(['1 foto nueva', '3 fotos nuevas']);
  });

  test('people are greeted by their first name', () => {
    expect(firstName('  Lucía  Peña ')).toBe('Lucía');
    expect(firstName('Lucía\nPeña')).toBe('Lucía');
    expect(firstName('Ñañez')).toBe('Ñañez');
  });

  test('places are written so that a map understands them', () => {
    expect(point({ latitude: 4.6, longitude: -75.48765432 })).toBe('4.600000, -75.487654');
  });
});
