import { describe, expect, test } from '@jest/globals';
import { areSessionClaims, isPlainToken, SESSION_SECONDS } from './session-claims.ts';

const NOW = 1_790_000_000;
const claims = { aud: 'customer', sub: 'a-1', tv: 0, iat: NOW, exp: NOW + SESSION_SECONDS };

test('a session is one, also by a clock that runs ahead', () => {
  expect(areSessionClaims({}, claims, NOW)).toBe(true);
  expect(areSessionClaims({ typ: 'JWT' }, { ...claims, tv: 3 }, NOW - 200)).toBe(true);
});

describe('none is a token', () => {
  test.each([
    [{ sub: '' }],
    [{ sub: ['a-1'] }],
    [{ sub: { $ne: null } }],
    [{ aud: ['customer', 'admin'] }],
    [{ aud: 'service:orders' }],
    [{ tv: '0' }],
    [{ tv: 0.5 }],
    [{ tv: undefined }],
    [{ iat: undefined }],
    [{ iat: NOW + 3_600, exp: NOW + 7_200 }],
    [{ exp: NOW + 30 * 86_400 }],
  ])('that says %j', (change) => {
    expect(areSessionClaims({}, { ...claims, ...change }, NOW)).toBe(false);
  });

  test('of another type', () => {
    expect(areSessionClaims({ typ: 'reset+jwt' }, claims, NOW)).toBe(false);
  });
});

test('a token has one spelling', () => {
  const signature = Buffer.alloc(64, 7).toString('base64url');
  const plain = `e30.e30.${signature}`;
  const others = [`${plain}=`, `${plain}.e30`, 'e30.e30.', 'e30.e30', `e30.e30.${signature.slice(0, -1)}x`];
  expect([plain, ...others].map(isPlainToken)).toEqual([true, false, false, false, false, false]);
});
