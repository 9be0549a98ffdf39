import { describe, expect, test } from '@jest/globals';
import { openPasswords } from './passwords.ts';

const passwords = await openPasswords({ memoryKib: 64, passes: 1 });

describe('a password', () => {
  test('is kept as argon2id and matches only itself', async () => {
    const stored = await passwords.hash('el roble y la ceiba');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(await passwords.matches(stored, 'el roble y la ceiba')).toBe(true);
    expect(await passwords.matches(stored, 'el roble y la ceibo')).toBe(false);
  });

  test('matches however its accents were typed', async () => {
    const stored = await passwords.hash('contraseña larga'.normalize('NFC'));
    expect(await passwords.matches(stored, 'contraseña larga'.normalize('NFD'))).toBe(true);
  });

  test('matches nobody where there is no account', async () => {
    expect(await passwords.matches(undefined, 'anything at all')).toBe(false);
  });

  test('is not looked at while too many are', async () => {
    const busy = await openPasswords({ memoryKib: 64, passes: 1 }, 2);
    const stored = await passwords.hash('el roble y la ceiba');
    const tries = [1, 2, 3].map(() => busy.matches(stored, 'el roble y la ceiba'));
    await expect(tries[2]).rejects.toMatchObject({ type: 'overloaded', status: 503 });
    expect(await Promise.all(tries.slice(0, 2))).toEqual([true, true]);
    expect(await busy.matches(stored, 'el roble y la ceiba')).toBe(true);
  });

  test('is outdated when the cost has changed', async () => {
    const stored = await passwords.hash('el roble y la ceiba');
    expect(passwords.isOutdated(stored)).toBe(false);
    expect((await openPasswords({ memoryKib: 128, passes: 1 })).isOutdated(stored)).toBe(true);
    expect((await openPasswords({ memoryKib: 64, passes: 2 })).isOutdated(stored)).toBe(true);
  });
});
