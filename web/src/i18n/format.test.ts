import { expect, test } from '@jest/globals';
import { formatsOf } from './format.ts';

const en = formatsOf('en');
const es = formatsOf('es');
const planted = '2026-12-12T14:40:00Z';

test('money carries its code, unbroken, by the rules of the language', () => {
  expect(en.money(8_230_000, 'COP')).toBe('COP\u00a082,300.00');
  expect(es.money(8_230_000, 'COP')).toBe('COP\u00a082.300,00');
  expect(en.money(800, 'JPY')).toBe('JPY\u00a0800');
});

test('currencies are called by their names', () => {
  expect(en.currencyName('COP')).toBe('Colombian pesos');
  expect(es.currencyName('COP')).toBe('pesos colombianos');
});

test('what happened in the field is told in the time of the field', () => {
  expect(en.fieldDay(planted)).toBe('12 December 2026');
  expect(es.fieldDay(planted)).toBe('12 de diciembre de 2026');
  expect(en.fieldTime(planted)).toBe('9:40\u202fam'.replace('\u202f', en.fieldTime(planted)[4]!));
  expect(es.fieldDay('2026-12-13T03:00:00Z')).toBe('12 de diciembre de 2026');
});
