import { describe, expect, test } from '@jest/globals';
import { readArguments, USAGE } from './command.ts';

describe('npm run admin', () => {
  test.each([
    [[]],
    [['create']],
    [['create', '--email', 'ana@example.org']],
    [['create', 'ana@example.org', '--name', 'Ana']],
    [['password', '--email', 'ana@example.org', '--name', 'Ana']],
    [['reset-second-factor']],
    [['reset-second-factor', '--email', 'ana@example.org', '--name', 'Ana']],
    [['reset-second-factor', '--email', 'ana@example.org', '--password-stdin']],
    [['erase']],
    [['erase', '--email', 'ana@example.org', '--password-stdin']],
    [['remove', '--email', 'ana@example.org']],
    [['create', '--email', 'ana@example.org', '--name', 'Ana', '--password', 'in the history of the shell']],
  ])('with %j says how it is used', (args) => {
    expect(() => readArguments(args)).toThrow(USAGE);
  });

  test('names what is not an address or a name', () => {
    expect(() => readArguments(['create', '--email', 'ana', '--name', 'Ana'])).toThrow(/^--email: /);
    expect(() => readArguments(['create', '--email', 'ana@example.org', '--name', ' '])).toThrow(/^--name: /);
  });

  test('reads addresses as log-in does', () => {
    expect(readArguments(['password', '--email', ' Ana@Example.org', '--password-stdin'])).toEqual({
      command: 'password',
      email: 'ana@example.org',
      name: undefined,
      passwordFromStdin: true,
    });
  });
});
