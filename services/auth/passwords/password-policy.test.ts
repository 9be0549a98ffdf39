import { describe, expect, test } from '@jest/globals';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { isTooEasy, requireUncommon } from './password-policy.ts';

const owner = { name: 'Lucía Peña', email: 'lucia.pena@example.org' };

describe('a password is too easy when', () => {
  test.each([
    ['everybody has it', 'password123'],
    ['everybody has it, in capitals', 'PassWord123'],
    ['it is common in Spanish', 'contraseña123'],
    ['it has hardly any different characters', 'abababababab'],
    ['it counts', '2345678901'],
    ['it counts down', '9876543210'],
    ['it runs along the keyboard', 'wertyuiopa'],
    ['it is the own address', 'lucia.pena@example.org'],
    ['it is the own address before the @', 'Lucia.Pena'],
    ['it is the own name with a year', 'Lucía Peña 2026'],
  ])('%s', (_why, password) => {
    expect(isTooEasy(password, owner)).toBe(true);
  });

  test('and is named as the field at fault', () => {
    expect(() => requireUncommon('1234567890', owner)).toThrow(
      expect.objectContaining({
        type: 'validation-failed',
        fields: [{ path: 'password', type: 'common-password' }],
      }),
    );
  });
});

test.each(['el roble y la ceiba', 'Xk4-tGw9zq', 'lucia planta robles', '9876543211x'])(
  'a password may be %j',
  (password) => {
    expect(isTooEasy(password, owner)).toBe(false);
  },
);

test('the list holds what the length alone would let through', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(250);
  for (const password of COMMON_PASSWORDS) expect(password).toBe(password.toLowerCase());
  expect([...COMMON_PASSWORDS].filter((password) => password.length < 10)).toEqual([]);
});
