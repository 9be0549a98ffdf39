import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { isGuessable, isPublicProduction, weaknesses } from './production.ts';

const STRONG = {
  NODE_ENV: 'production',
  SITE_URL: 'https://trees.example',
  SERVICE_SECRET: randomBytes(48).toString('base64'),
  QUOTE_SECRET: randomBytes(24).toString('base64url'),
  DATABASE_URL: 'postgres://orders:Vq7-kT2mZ9@db:5432/orders',
};

test.each(['hex', 'base64', 'base64url'] as const)(
  'a random secret, written as %s, is none to guess',
  (as) => {
    const found = Array.from({ length: 2_000 }, () => randomBytes(as === 'hex' ? 16 : 24).toString(as));
    expect(found.filter(isGuessable)).toEqual([]);
  },
);

// Of ten thousand random secrets one is as uneven as these.
test.each(['c477c4d8d4cc89aac78639ac8c9a8799', 'f3e993f9e99d0eef9d6ebb949329f79f'])(
  'nor is %s, however uneven',
  (secret) => expect(isGuessable(secret)).toBe(false),
);

test.each([
  'x'.repeat(64),
  '0123456789abcdef'.repeat(4),
  'change-me-before-you-go-live-please-1',
  'a-secret-that-nobody-will-ever-guess',
  '1234567890123456789012345678901234',
  'aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbcccc',
  'correct-horse-battery-staple-Bogota-2026',
  'our trees grow well in the valley, 2026',
  'arboleda arboleda arboleda arboleda ',
])('%s could be guessed', (text) => {
  expect(isGuessable(text)).toBe(true);
});

test('strong settings are fit for production', () => {
  expect(weaknesses(STRONG)).toEqual([]);
});

describe('production is refused', () => {
  test.each([
    ['SERVICE_SECRET', { SERVICE_SECRET: 's'.repeat(40) }],
    ['QUOTE_SECRET', { QUOTE_SECRET: STRONG.SERVICE_SECRET }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://orders:orders@db:5432/orders' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://orders:CHANGE@mongo:27017/' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://orders:orders@mongo-1:27017,mongo-2:27017/?replicaSet=rs' }],
    ['S3_SECRET_KEY', { S3_SECRET_KEY: 'minioadmin' }],
    ['SITE_URL', { SITE_URL: 'http://trees.example' }],
    ['STRIPE_API_URL', { STRIPE_API_URL: 'http://stripe-sandbox:12111' }],
    ['STRIPE_API_URL', { STRIPE_API_URL: 'https://api.stripe.com.evil.example' }],
    ['STRIPE_SCRIPT_URL', { STRIPE_SCRIPT_URL: 'https://cdn.example/stripe.js' }],
  ])('for %s', (name, weak) => {
    const env = { ...STRONG, ...weak };
    expect(weaknesses(env)).toEqual([expect.stringMatching(`^${name}: `)]);
    for (const value of Object.values(weak)) expect(weaknesses(env).join()).not.toContain(value);
    expect(weaknesses({ ...env, NODE_ENV: undefined })).toEqual([]);
  });
});

test('a rehearsal that only this machine reaches may pretend, but not be weak', () => {
  const rehearsal = { ...STRONG, SITE_URL: 'http://localhost:8080', STRIPE_API_URL: 'http://sandbox:12111' };
  expect([isPublicProduction(rehearsal), weaknesses(rehearsal)]).toEqual([false, []]);
  expect(weaknesses({ ...rehearsal, SERVICE_SECRET: 'x'.repeat(32) })).toHaveLength(1);
});
