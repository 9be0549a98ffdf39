import { describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { newAccount } from '../accounts/account.ts';
import { COMMON_PASSWORDS } from '../passwords/common-passwords.ts';
import { isTooEasy, requireUncommon } from '../passwords/password-policy.ts';
import { openPasswords } from '../passwords/passwords.ts';
import { newRecoveryCodes, plainRecoveryCode } from '../second-factor/recovery-codes.ts';
import { digitsOf, newSecret, otpauthUrl, stepOf } from '../second-factor/totp.ts';
import { openVault } from '../second-factor/vault.ts';
import { openTokens } from './tokens.ts';

/** "12345678901234567890" in base32: https://www.rfc-editor.org/rfc/rfc6238#appendix-B, last six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

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

  test('a refused password names its field', () => {
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

test('the list of common passwords adds to the minimum length', () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(250);
  for (const password of COMMON_PASSWORDS) expect(password).toBe(password.toLowerCase());
  expect([...COMMON_PASSWORDS].filter((password) => password.length < 10)).toEqual([]);
});

const passwords = await openPasswords({ memoryKib: 64, passes: 1 });

describe('a password', () => {
  test('is stored as argon2id and matches only itself', async () => {
    const stored = await passwords.hash('el roble y la ceiba');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(await passwords.matches(stored, 'el roble y la ceiba')).toBe(true);
    expect(await passwords.matches(stored, 'el roble y la ceibo')).toBe(false);
  });

  test('matches in any Unicode normalization', async () => {
    const stored = await passwords.hash('contraseña larga'.normalize('NFC'));
    expect(await passwords.matches(stored, 'contraseña larga'.normalize('NFD'))).toBe(true);
  });

  test('never matches an unknown account', async () => {
    expect(await passwords.matches(undefined, 'anything at all')).toBe(false);
  });

  test('is not hashed while too many are pending', async () => {
    const busy = await openPasswords({ memoryKib: 64, passes: 1 }, 2);
    const stored = await passwords.hash('el roble y la ceiba');
    const tries = [1, 2, 3].map(() => busy.matches(stored, 'el roble y la ceiba'));
    await expect(tries[2]).rejects.toMatchObject({ type: 'overloaded' });
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

test('ten recovery codes are distinct and readable', () => {
  const codes = Array.from({ length: 20 }, newRecoveryCodes);
  expect(new Set(codes.flat()).size).toBe(200);
  for (const code of codes.flat()) expect(code).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
});

test('a recovery code is normalized, and never looks like an app’s code', () => {
  const [code] = newRecoveryCodes();
  for (const typed of [code!.toUpperCase(), code!.replaceAll('-', ' '), ` ${code} `]) {
    expect(plainRecoveryCode(typed)).toBe(plainRecoveryCode(code!));
  }
  expect(plainRecoveryCode(code!)).toHaveLength(16);
});

describe('a code of an authenticator app', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('matches RFC 6238 at %i', async (seconds, digits) => {
    expect(await stepOf(SECRET, digits, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  });

  test.each([
    [-60, undefined],
    [-30, 0],
    [0, 0],
    [30, 0],
    [60, undefined],
  ])('is accepted in its own step when the clock is %i s off', async (seconds, off) => {
    const at = 1111111111;
    const step = await stepOf(SECRET, '050471', new Date((at + seconds) * 1000));
    expect(step).toBe(off === undefined ? undefined : Math.floor(at / 30));
  });

  test('of another secret is refused', async () => {
    expect(await stepOf(newSecret(), '287082', new Date(59_000))).toBeUndefined();
  });

  test.each([
    ['123456', '123456'],
    [' 123 456 ', '123456'],
    ['123-456', '123456'],
    ['12345', undefined],
    ['1234567', undefined],
    ['abcd-efgh-jkmn-pqrs', undefined],
    ['１２３４５６', undefined],
  ])('typed as %j is read as %j', (typed, digits) => {
    expect(digitsOf(typed)).toBe(digits);
  });
});

test('a secret has 160 random bits, in base32', () => {
  const secrets = new Set(Array.from({ length: 50 }, newSecret));
  expect(secrets.size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

test('the URL of the QR code names the account, with any characters', () => {
  const url = new URL(otpauthUrl(SECRET, 'a+b@example.org'));
  expect(decodeURIComponent(url.pathname)).toBe('/Arboleda:a+b@example.org');
  expect(url.searchParams.get('secret')).toBe(SECRET);
});

const vault = openVault('k'.repeat(32));

describe('a sealed secret', () => {
  test('opens for its own account', () => {
    expect(vault.open('a-1', vault.seal('a-1', SECRET))).toBe(SECRET);
  });

  test('is never encrypted the same way twice, and reveals nothing', () => {
    const [one, other] = [vault.seal('a-1', SECRET), vault.seal('a-1', SECRET)];
    expect(one.equals(other)).toBe(false);
    expect(one.includes(SECRET)).toBe(false);
  });

  test.each([
    ['with another key', () => openVault('x'.repeat(32)).open('a-1', vault.seal('a-1', SECRET))],
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

test('a recovery code’s hash depends on account and key', () => {
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

const NOW = new Date('2026-11-21T15:00:00.500Z');

const account = newAccount('a-1', {
  role: 'customer',
  email: 'lucia@example.org',
  name: 'Lucía',
  language: 'es',
  emailVerified: true,
  passwordHash: 'hash',
});

const { privateKey } = generateKeyPairSync('ed25519');

test('a session names its account, lasts twelve hours, and verifies with the public keys', async () => {
  const tokens = await openTokens(privateKey, () => NOW);
  const keys = createLocalJWKSet({ keys: tokens.publicKeys });
  const token = await tokens.sign({ ...account, tokenVersion: 3 });
  const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: NOW });
  expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: tokens.publicKeys[0]!.kid });
  expect(payload).toEqual({
    iss: 'arboleda',
    aud: 'customer',
    sub: 'a-1',
    name: 'Lucía',
    email: 'lucia@example.org',
    email_verified: true,
    tv: 3,
    iat: Date.parse('2026-11-21T15:00:00Z') / 1000,
    exp: Date.parse('2026-11-22T03:00:00Z') / 1000,
    jti: expect.stringMatching(/^[\w-]{36}$/),
  });
});

test('a session of an admin names their role, and when the second factor was given, also once it is renewed', async () => {
  const tokens = await openTokens(privateKey, () => NOW);
  const admin = newAccount('a-2', { ...account, role: 'admin', adminRole: 'finance' });
  const claimed = async (token: Promise<string>) => decodeJwt(await token);
  const expiresAt = Date.parse('2026-11-21T16:00:00Z') / 1000;
  expect(await claimed(tokens.sign(admin, 1_790_000_000))).toMatchObject({
    admin_role: 'finance',
    otp_at: 1_790_000_000,
  });
  expect(await claimed(tokens.renew(admin, { expiresAt, secondFactorAt: 1_790_000_000 }))).toMatchObject({
    otp_at: 1_790_000_000,
  });
  expect(await claimed(tokens.sign(admin))).not.toHaveProperty('otp_at');
});

test('a renewed session expires when the original would have', async () => {
  const tokens = await openTokens(privateKey, () => NOW);
  const keys = createLocalJWKSet({ keys: tokens.publicKeys });
  const expiresAt = Date.parse('2026-11-21T16:00:00Z') / 1000;
  const token = await tokens.renew({ ...account, name: 'Ana' }, { expiresAt });
  const { payload } = await jwtVerify(token, keys, { currentDate: NOW });
  expect(payload).toMatchObject({ name: 'Ana', exp: expiresAt });
});

test('no two sessions are the same', async () => {
  const tokens = await openTokens(privateKey, () => NOW);
  expect(await tokens.sign(account)).not.toBe(await tokens.sign(account));
});

test('the published key is the public half only, with a stable id', async () => {
  const [first, second] = [await openTokens(privateKey, () => NOW), await openTokens(privateKey, () => NOW)];
  expect(first.publicKeys).toEqual(second.publicKeys);
  expect(Object.keys(first.publicKeys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});
