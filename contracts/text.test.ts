import { expect, test } from '@jest/globals';
import { freeText, oneLine, personName, phone, requiredText } from './text.ts';

test.each([
  ['  Ana García ', 'Ana García'],
  ['李小龍', '李小龍'],
  ['Ana\u200b\u202eGarcía\ufeff', 'AnaGarcía'],
  ['نیلوفر\u200cجان', 'نیلوفر\u200cجان'],
  ['Team 🌱', 'Team 🌱'],
])('%j is the name %j', (typed, name) => {
  expect(personName.parse(typed)).toBe(name);
});

test.each([
  '',
  ' ',
  '\u200b',
  '\u3164',
  '\u2800',
  '\u115f\u1160',
  '\ufeff\u2060',
  '\u200d',
  'a\u0000b',
  'a\ud800',
  'a\nb',
])('%j is no name', (typed) => expect(personName.safeParse(typed).success).toBe(false));

test.each(['', ' \n', '\u200b', '\u2800', '\u3164', '\u00a0\u2800\n'])('%j says nothing', (typed) =>
  expect(requiredText(20).safeParse(typed).success).toBe(false),
);

test.each([
  ['+57\u2011300\u2011123', '+57-300-123'],
  ['+57\u00a0300\u202f123', '+57 300 123'],
  ['(+57) 300 123, casa', '(+57) 300 123, casa'],
  ['٣٠٠ ١٢٣', '٣٠٠ ١٢٣'],
  ['+57·300·123', '+57·300·123'],
])('%j is the phone %j', (typed, number) => {
  expect(phone.parse(typed)).toBe(number);
});

test.each(['<b>1</b>', '1'.repeat(41), '300\u0000'])('%j is no phone', (typed) => {
  expect(phone.safeParse(typed).success).toBe(false);
});

test('line breaks are kept in texts and refused in lines', () => {
  expect(freeText(20).parse('one\ntwo\u200b')).toBe('one\ntwo');
  expect(oneLine(20).safeParse('one\ntwo').success).toBe(false);
  expect(freeText(20).safeParse('half \udc00').success).toBe(false);
});
