import { describe, expect, test } from '@jest/globals';
import { openVault } from './vault.ts';

const vault = openVault('k'.repeat(32));
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a sealed secret', () => {
  test('is opened for the account it was sealed for', () => {
    expect(vault.open('a-1', vault.seal('a-1', SECRET))).toBe(SECRET);
  });

  test('is never sealed alike twice, and shows nothing', () => {
    const [one, other] = [vault.seal('a-1', SECRET), vault.seal('a-1', SECRET)];
    expect(one.equals(other)).toBe(false);
    expect(one.includes(SECRET)).toBe(false);
  });

  test.each([
    ['with another key', () => openVault('x'.repeat(32)).open('a-1', vault.seal('a-1', SECRET))],
    ['without a key', () => openVault(undefined).open('a-1', vault.seal('a-1', SECRET))],
    ['for another account', () => vault.open('a-2', vault.seal('a-1', SECRET))],
    [
      'after somebody changed it',
      () => {
        const sealed = vault.seal('a-1', SECRET);
        sealed[20]! ^= 1;
        return vault.open('a-1', sealed);
      },
    ],
    ['when it is cut short', () => vault.open('a-1', vault.seal('a-1', SECRET).subarray(0, 20))],
  ])('is not opened %s', (_how, open) => {
    expect(open).toThrow('AUTH_SECOND_FACTOR_KEY');
  });
});

test('a code is known by the account and the key', () => {
  const known = vault.fingerprint('a-1', 'abcd');
  expect(vault.fingerprint('a-1', 'abcd').equals(known)).toBe(true);
  for (const other of [
    vault.fingerprint('a-2', 'abcd'),
    vault.fingerprint('a-1', 'abce'),
    openVault('x'.repeat(32)).fingerprint('a-1', 'abcd'),
  ]) {
    expect(other.equals(known)).toBe(false);
  }
});

test('without a key nothing is kept', () => {
  expect(() => openVault(undefined).seal('a-1', SECRET)).toThrow(
    expect.objectContaining({ type: 'second-factor-unavailable' }),
  );
});
