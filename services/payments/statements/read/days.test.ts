import { describe, expect, test } from '@jest/globals';
import { dmy } from '../test/files.ts';
import { dayOf, dayStyle, hasNoYear, serialDay } from './days.ts';
import { periodIn, yearRule } from './year.ts';

describe('a day', () => {
  test.each([
    ['2026-03-12', '2026-03-12'],
    ['20260312', '2026-03-12'],
    ['12/03/2026', '2026-03-12'],
    ['12.3.26', '2026-03-12'],
    ['12032026', '2026-03-12'],
    ['20112026', '2026-11-20'],
    ['12 mar 2026', '2026-03-12'],
    ['12 de marzo de 2026', '2026-03-12'],
    ['12-DIC-2026', '2026-12-12'],
    ['Mar 12, 2026', '2026-03-12'],
    ['12/03/2026 08:15:00', '2026-03-12'],
    ['2026-03-12T08:15:00Z', '2026-03-12'],
    ['2026-03-12T02:15:00Z', '2026-03-11'],
    ['2026-03-12T02:15:00+05:30', '2026-03-11'],
    ['2026-03-12T00:00:00Z', '2026-03-12'],
    ['12 de março de 2026', '2026-03-12'],
    ['12. Dezember 2026', '2026-12-12'],
    ['12 out 2026', '2026-10-12'],
    ['jue 12/03/2026', '2026-03-12'],
    ['12/03', undefined],
    ['30/02/2026', undefined],
    ['yesterday', undefined],
  ])('%s is %s', (text, day) => {
    expect(dayOf(text, 'dmy')).toBe(day);
  });

  test('in two ways is not asked when both are the same', () => {
    expect(dayStyle(['04/04/2026', dmy('2026-05-05')])).toBe('ymd');
  });
});

describe('a day without a year', () => {
  test.each(['16/11', '16-11', '16.11.', '16 nov', '16 de noviembre', 'Nov 16', '16-NOV'])(
    'is %s',
    (text) => {
      expect([hasNoYear(text), dayOf(text, 'dmy', () => 2026)]).toEqual([true, '2026-11-16']);
    },
  );

  test.each(['16.11', '1611', '288/050', '16/11/2026'])('is not %s', (text) => {
    expect(hasNoYear(text)).toBe(false);
  });

  test.each([
    ['extracto_noviembre_2026.csv', '2026-11-01', '2026-11-30'],
    ['Extracto NOV2026.csv', '2026-11-01', '2026-11-30'],
    ['movimientos-2026-11.csv', '2026-11-01', '2026-11-30'],
    ['202611.csv', '2026-11-01', '2026-11-30'],
    ['11-2026.csv', '2026-11-01', '2026-11-30'],
    ['Período: 01/11/2026 - 30/11/2026', '2026-11-01', '2026-11-30'],
    ['Desde 2026/11/01 hasta 2026/11/30', '2026-11-01', '2026-11-30'],
    ['Del 15 de diciembre de 2025 al 14 de enero de 2026', '2025-12-15', '2026-01-14'],
    ['20261130_20261201.csv', '2026-11-30', '2026-12-01'],
    ['2026.csv', '2026-01-01', '2026-12-31'],
  ])('gets it from %s', (text, from, to) => {
    expect(periodIn(text)).toEqual({ from, to });
  });

  test('gets it from the day that the file was made', () => {
    const rule = yearRule([12, 1], { period: periodIn('extracto 20260115.csv') });
    expect([rule(12, 28), rule(1, 3)]).toEqual([2025, 2026]);
  });

  test.each(['extracto.csv', 'cuenta 123456789.csv', 'day-month-only.csv'])('is asked for %s', (name) => {
    expect(yearRule([11], { period: periodIn(name) })(11, 16)).toBeUndefined();
  });

  test('is asked when a year alone may be that of December or of January', () => {
    expect(yearRule([12, 1], { period: periodIn('2026.csv') })(12, 28)).toBeUndefined();
    const said = yearRule([12, 1], { period: undefined, said: 2026 });
    expect([said(12, 28), said(1, 3)]).toEqual([2025, 2026]);
  });
});

test.each([
  ['46342', '2026-11-16'],
  ['46342.4375', '2026-11-16'],
  ['44880', '2022-11-15'],
  ['288050', undefined],
  ['20261', undefined],
])('%s in a workbook is %s', (text, day) => {
  expect(serialDay(text)).toBe(day);
});

test('days may be counted from 1904', () => {
  expect(serialDay('44880', true)).toBe('2026-11-16');
});
