import { describe, expect, test } from '@jest/globals';
import { digitsOf, newSecret, otpauthUrl, stepOf } from './totp.ts';

/** "12345678901234567890" in base32: https://www.rfc-editor.org/rfc/rfc6238#appendix-B, its last six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code of an authenticator app', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('is that of RFC 6238 at %i', async (seconds, digits) => {
    expect(await stepOf(SECRET, digits, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
  });

  test.each([
    [-60, undefined],
    [-30, 0],
    [0, 0],
    [30, 0],
    [60, undefined],
  ])('is known by its own step when the clock is %i s off', async (seconds, off) => {
    const at = 1111111111;
    const step = await stepOf(SECRET, '050471', new Date((at + seconds) * 1000));
    expect(step).toBe(off === undefined ? undefined : Math.floor(at / 30));
  });

  test('of another secret is none', async () => {
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

test('the address for the QR code names who it is for, whatever letters that takes', () => {
  const url = new URL(otpauthUrl(SECRET, 'a+b@example.org'));
  expect(decodeURIComponent(url.pathname)).toBe('/Arboleda:a+b@example.org');
  expect(url.searchParams.get('secret')).toBe(SECRET);
});
