import { expect, test } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { generateKeyPairSync } from 'node:crypto';
import { newAccount } from '../account.ts';
import { openTokens } from './tokens.ts';

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

test('a session says who it is for, for twelve hours, and can be verified by the public keys', async () => {
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

test('a session that goes on under another name or address ends when it would have', async () => {
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

test('what is shown of the key is the public half alone, under the same name each time', async () => {
  const [first, second] = [await openTokens(privateKey, () => NOW), await openTokens(privateKey, () => NOW)];
  expect(first.publicKeys).toEqual(second.publicKeys);
  expect(Object.keys(first.publicKeys[0]!).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});
