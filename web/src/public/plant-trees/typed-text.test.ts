import { expect, test } from '@jest/globals';
import { emailProblem } from './email-problem.ts';
import { typedText } from './typed-text.ts';

test('a pasted direction mark, a tab or a zero-width space does not get into a name', () => {
  expect(typedText('\u202eSof\u200bía\tRueda\u2069 ')).toBe('Sofía Rueda');
});

test('names in any writing stay as they are', () => {
  for (const name of ['محمد علي', 'שרה לוי', 'नेहा\u200dश्री', '李小龍', "O'Neill-Ñáñez"])
    expect(typedText(name)).toBe(name);
});

test('an address pasted from right-to-left text is an address', () => {
  expect(emailProblem('\u200fsofia@correo.co\u200e')).toBeUndefined();
});
