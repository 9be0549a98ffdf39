import { expect, test } from '@jest/globals';
import { harmlessName } from './name.ts';

test.each([
  ['árbol uno 🌳.jpg', 'árbol uno 🌳.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\photos\\one.jpg', 'one.jpg'],
  ['a\0b\r\nc\u001b.jpg', 'abc.jpg'],
  ['half \ud83c.jpg', 'half .jpg'],
  ['\u202egpj.exe', 'gpj.exe'],
  ['', 'photo'],
  ['\0\u0007', 'photo'],
  ['folder/', 'photo'],
])('a file called %j is known as %j', (name, known) => {
  expect(harmlessName(name)).toBe(known);
});

test('a long name is cut between characters, not inside one', () => {
  const name = harmlessName(`${'x'.repeat(199)}🌳🌳.jpg`);
  expect(name).toBe(`${'x'.repeat(199)}🌳`);
  expect(name.isWellFormed()).toBe(true);
});
