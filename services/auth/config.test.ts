import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { authConfig } from './config.ts';

const env = {
  SERVICE_SECRET: 'uV9-kq2LmZt7_RwXc4yBh8NdPf3GsJ6a',
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:4001',
};

describe('the cost of a password', () => {
  test('is OWASP’s when nothing is said', () => {
    expect(authConfig(env).passwordCost).toEqual({ memoryKib: 19_456, passes: 2 });
  });

  test('may be small where nobody depends on it', () => {
    const cheap = { ...env, AUTH_PASSWORD_MEMORY_KIB: '64', AUTH_PASSWORD_PASSES: '1' };
    expect(authConfig(cheap).passwordCost).toEqual({ memoryKib: 64, passes: 1 });
  });

  test('may be greater, but not smaller, in production', () => {
    const production = { ...env, NODE_ENV: 'production' };
    expect(() => authConfig({ ...production, AUTH_PASSWORD_MEMORY_KIB: '19455' })).toThrow(
      'AUTH_PASSWORD_MEMORY_KIB: must be at least 19456 in production',
    );
    expect(() => authConfig({ ...production, AUTH_PASSWORD_PASSES: '1' })).toThrow('AUTH_PASSWORD_PASSES');
    expect(authConfig({ ...production, AUTH_PASSWORD_MEMORY_KIB: '65536' }).passwordCost.memoryKib).toBe(
      65536,
    );
  });
});

describe('the signing key', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

  test.each([
    ['PEM', pem],
    ['PEM on one line', pem.replaceAll('\n', '\\n')],
    ['JWK', JSON.stringify(privateKey.export({ format: 'jwk' }))],
  ])('is read from %s', (_format, text) => {
    const key = authConfig({ ...env, AUTH_SIGNING_KEY: text }).signingKey!;
    expect(key.equals(privateKey)).toBe(true);
  });

  test('is absent when none is given', () => {
    expect(authConfig({ ...env, AUTH_SIGNING_KEY: '' }).signingKey).toBeUndefined();
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  test.each([
    ['nonsense', 'nonsense'],
    ['broken JSON', '{'],
    ['a key of another kind', rsa.export({ format: 'pem', type: 'pkcs8' }).toString()],
  ])('stops the start, by its name, when it is %s', (_what, text) => {
    expect(() => authConfig({ ...env, AUTH_SIGNING_KEY: text })).toThrow(/^AUTH_SIGNING_KEY: /);
  });
});

describe('the key of second factors', () => {
  const key = 'Qp4_vN8sXz1-LbT6yGc9RmJ2wKd7HfE3';

  test('is its own, or where nobody depends on it the services’ secret', () => {
    expect(authConfig({ ...env, AUTH_SECOND_FACTOR_KEY: key }).secondFactorKey).toBe(key);
    expect(authConfig(env).secondFactorKey).toBe(env.SERVICE_SECRET);
  });

  test('may be missing in production: auth starts, but keeps no second factors', () => {
    expect(authConfig({ ...env, NODE_ENV: 'production' }).secondFactorKey).toBeUndefined();
    const configured = { ...env, NODE_ENV: 'production', AUTH_SECOND_FACTOR_KEY: key };
    expect(authConfig(configured).secondFactorKey).toBe(key);
  });

  test('stops the start, by its name, when it could be guessed', () => {
    expect(() => authConfig({ ...env, AUTH_SECOND_FACTOR_KEY: 'short' })).toThrow(
      /^AUTH_SECOND_FACTOR_KEY: /,
    );
  });
});
