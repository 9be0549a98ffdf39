import { expect, test } from '@jest/globals';
import { emailProblem } from './email-problem.ts';

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
