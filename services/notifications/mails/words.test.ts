import { describe, expect, test } from '@jest/globals';
import { addressed, called, cardName, firstName, masked, point, updateDates, wordsIn } from './words.ts';

const LATE = '2026-11-22T03:30:00Z';
const en = wordsIn('en');
const es = wordsIn('es');

describe('in mails', () => {
  test('days are those of Colombia', () => {
    expect(en.day(LATE)).toBe('November 21, 2026');
    expect(es.day(LATE)).toBe('21 de noviembre de 2026');
  });

  test('hours say whose they are', () => {
    expect(en.moment(LATE)).toMatch(/^November 21, 2026 at 10:30.PM GMT-5$/);
    expect(es.moment(LATE)).toMatch(/^21 de noviembre de 2026.*10:30.p\.\sm\..*(COT|GMT-5)$/);
  });

  test('things are counted by the rules of the language', () => {
    expect([1, 5, 1200].map((count) => en.counted(count, 'tree', 'trees'))).toEqual([
      '1 tree',
      '5 trees',
      '1,200 trees',
    ]);
    expect([1, 1200].map((count) => es.counted(count, 'árbol', 'árboles'))).toEqual([
      '1 árbol',
      '1.200 árboles',
    ]);
    expect([en.list([3, 6, 12]), es.list([3, 6, 12])]).toEqual(['3, 6, and 12', '3, 6 y 12']);
  });

  test('people are greeted by their first name', () => {
    expect(firstName('  Lucía  Peña ')).toBe('Lucía');
    expect(firstName('Lucía\nPeña')).toBe('Lucía');
    expect(addressed('Thank you', 'Ñañez Ruiz')).toBe('Thank you, Ñañez');
    expect(called('Ana Ríos', 'tienes 5 árboles.')).toBe('Ana, tienes 5 árboles.');
  });

  test.each(['www.example.com wins', 'https://evil.example', 'eve@example.com', 'a'.repeat(31), '   '])(
    'whoever calls themselves %j is greeted without a name: it could be read as a link',
    (name) => {
      expect(addressed('Gracias', name)).toBe('Gracias');
      expect(called(name, '¿este es tu correo?')).toBe('¿Este es tu correo?');
    },
  );

  test('places are written so that a map understands them', () => {
    expect(point({ latitude: 4.6, longitude: -75.48765432 })).toBe('4.600000, -75.487654');
  });

  test('cards are called what people call them', () => {
    expect(cardName({ brand: 'visa', last4: '4242' })).toBe('Visa ···· 4242');
    expect(cardName({ brand: 'amex', last4: '0005' })).toBe('American Express ···· 0005');
  });

  test('addresses are shown so that only who knows them sees them', () => {
    expect(masked('lucia.pena@example.org')).toBe('l…a@example.org');
    expect(masked('lu@example.org')).toBe('l…@example.org');
    expect(masked('l@example.org')).toBe('l@example.org');
  });
});

describe('growth updates', () => {
  test('are due so many months after planting or purchase', () => {
    expect(updateDates('first_year', '2026-12-03T20:00:00Z')).toEqual([
      '2027-03-03T20:00:00.000Z',
      '2027-06-03T20:00:00.000Z',
      '2027-12-03T20:00:00.000Z',
    ]);
    expect(updateDates('three_year', '2026-12-03T20:00:00Z')[0]).toBe('2026-12-03T20:00:00.000Z');
    expect(updateDates('lifetime', '2026-12-03T20:00:00Z')).toHaveLength(10);
  });

  test('stay in their month when it is shorter', () => {
    expect(updateDates('first_year', '2026-11-30T20:00:00Z')[0]).toBe('2027-02-28T20:00:00.000Z');
  });

  test('are told by their months', () => {
    const dates = updateDates('first_year', '2026-12-03T20:00:00Z');
    expect(en.monthsByYear(dates)).toEqual([['2027', 'March, June, and December']]);
    expect(es.monthsByYear(dates)).toEqual([['2027', 'marzo, junio y diciembre']]);
  });
});
