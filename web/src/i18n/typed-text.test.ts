import { expect, test } from '@jest/globals';
import { emailProblem, typedText } from './typed-text.ts';

test.each([
  ['', 'emailMissing'],
  ['   ', 'emailMissing'],
  ['sofia', 'emailNoAt'],
  ['sofia@correo', 'emailNoEnding'],
  ['sofia@correo.', 'emailNoEnding'],
  ['sofia@correo.c', 'emailNoEnding'],
  ['@correo.co', 'emailWrong'],
  ['so fia@correo.co', 'emailWrong'],
  ['a@b@c.co', 'emailWrong'],
  ['sofia.rueda+trees@mail.correo.co', undefined],
])('%p → %s', (typed, problem) => {
  expect(emailProblem(typed)).toBe(problem);
});

test('removes pasted direction marks, tabs and zero-width spaces from a name', () => {
  expect(typedText('\u202eSof\u200bía\tRueda\u2069 ')).toBe('Sofía Rueda');
});

test('keeps names in any script', () => {
  for (const name of ['محمد علي', 'שרה לוי', 'नेहा\u200dश्री', '李小龍', "O'Neill-Ñáñez"])
    expect(typedText(name)).toBe(name);
});

test('cleans an address pasted from right-to-left text', () => {
  expect(emailProblem('\u200fsofia@correo.co\u200e')).toBeUndefined();
});
