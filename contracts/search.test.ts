import { expect, test } from '@jest/globals';
import { bare, folded, searchPatterns } from './search.ts';

test.each([
  ['María José', 'maria jose'],
  ['Đặng', 'dang'],
  ['Łukasz Øster', 'lukasz oster'],
  ['Straße', 'strasse'],
  ['D’Angelo', "d'angelo"],
  ['ARB‑7F3A', 'arb-7f3a'],
  ['李小龍', '李小龍'],
  ['ＡＢＣ', 'abc'],
])('%s is searched as %s', (text, plain) => {
  expect(folded(text)).toBe(plain);
});

test('a word without its punctuation is still found', () => {
  expect(bare('D’Angelo')).toBe('dangelo');
  expect(bare('ARB-7F3A')).toBe('arb7f3a');
  expect(bare('…')).toBe('');
});

test('pattern characters are searched literally', () => {
  expect(searchPatterns('50% off_')).toEqual(['%50\\% off\\_%', '%50off%']);
  expect(searchPatterns('garcía')).toEqual(['%garcia%']);
  expect(searchPatterns('?')).toEqual(['%?%']);
  expect(searchPatterns(' ')).toBeNull();
  expect(searchPatterns(undefined)).toBeNull();
});
