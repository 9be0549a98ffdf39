import { describe, expect, test } from '@jest/globals';
import { newAccount } from '../accounts/account.ts';
import { readArguments, USAGE } from '../operator/command.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { changeWorker, codeOf, codePrefix } from './worker.ts';

const worker = {
  ...newAccount('w-1', {
    role: 'worker',
    email: 'mateo@example.org',
    name: 'Mateo',
    language: 'es',
    emailVerified: true,
    passwordHash: 'hash',
    worker: { code: 'QU-014', region: 'Quindío', capacityTrees: 40 },
  }),
  revision: 3,
  tokenVersion: 2,
};

test.each([
  ['Quindío', 'QU'],
  ['Ñame', 'NA'],
  ['Ávila', 'AV'],
  ['La Guajira', 'LA'],
  ['X', 'XX'],
  ['東京', 'XX'],
  ['1 Meta', 'ME'],
])('the codes of %s begin with %s', (region, prefix) => {
  expect(codePrefix(region)).toBe(prefix);
});

test('a code has three digits, or more when needed', () => {
  expect([codeOf('QU', 1), codeOf('QU', 14), codeOf('QU', 1000)]).toEqual(['QU-001', 'QU-014', 'QU-1000']);
});

describe('a change of a worker', () => {
  test('without new values changes nothing', () => {
    expect(changeWorker(worker, {})).toBe(worker);
    expect(changeWorker(worker, { name: 'Mateo', region: 'Quindío', active: true })).toBe(worker);
  });

  test('of place and name keeps them logged in', () => {
    expect(changeWorker(worker, { name: 'Mateo R.', region: 'Huila' })).toMatchObject({
      name: 'Mateo R.',
      worker: { code: 'QU-014', region: 'Huila', capacityTrees: 40 },
      emailVerified: true,
      tokenVersion: 2,
      revision: 4,
    });
  });

  test('to a capacity of zero counts as one', () => {
    expect(changeWorker(worker, { capacityTrees: 0 }).worker!.capacityTrees).toBe(0);
  });

  test('of the address makes it unverified', () => {
    expect(changeWorker(worker, { email: 'm@example.org' })).toMatchObject({
      email: 'm@example.org',
      emailVerified: false,
    });
  });

  test('to inactive ends the sessions; back to active does not end more', () => {
    const inactive = changeWorker(worker, { active: false });
    expect(inactive).toMatchObject({ active: false, tokenVersion: 3 });
    expect(changeWorker(inactive, { active: true })).toMatchObject({ active: true, tokenVersion: 3 });
  });
});

test.each(['QU-014', 'Ñ-1'])('a page continues after %s', (code) => {
  expect(decodeCursor(encodeCursor(code))).toBe(code);
});

test.each(['', '!', 'a\u0000b', encodeCursor('a\u0000b'), `${encodeCursor('QU-014')}=`, '_w'])(
  '%j is refused as a cursor',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(
      expect.objectContaining({ fields: [{ path: 'cursor', type: 'invalid' }] }),
    );
  },
);

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
    [['password', '--email', 'ana@example.org', '--role', 'finance']],
    [['erase']],
    [['erase', '--email', 'ana@example.org', '--password-stdin']],
    [['remove', '--email', 'ana@example.org']],
    [['create', '--email', 'ana@example.org', '--name', 'Ana', '--password', 'in the history of the shell']],
  ])('with %j prints its usage', (args) => {
    expect(() => readArguments(args)).toThrow(USAGE);
  });

  test('names an invalid address or name', () => {
    expect(() => readArguments(['create', '--email', 'ana', '--name', 'Ana'])).toThrow(/^--email: /);
    expect(() => readArguments(['create', '--email', 'ana@example.org', '--name', ' '])).toThrow(/^--name: /);
    const role = ['create', '--email', 'ana@example.org', '--name', 'Ana', '--role', 'root'];
    expect(() => readArguments(role)).toThrow(/^--role: /);
  });

  test('reads addresses as login does', () => {
    expect(readArguments(['password', '--email', ' Ana@Example.org', '--password-stdin'])).toEqual({
      command: 'password',
      email: 'ana@example.org',
      name: undefined,
      passwordFromStdin: true,
    });
  });
});
