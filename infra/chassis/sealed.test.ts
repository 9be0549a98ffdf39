import { describe, expect, test } from '@jest/globals';
import { CompactEncrypt } from 'jose';
import { keyedDigest } from './keyed-digest.ts';
import { newKey, privateKeyOf, publicHalfOf, publicKeyOf } from './keys.ts';
import { seal, unseal } from './sealed.ts';

const pair = () => {
  const key = newKey('x25519');
  return {
    privateKey: privateKeyOf('x25519').parse(key),
    publicKey: publicKeyOf('x25519').parse(publicHalfOf(key)),
  };
};

describe('a sealed text', () => {
  const { privateKey, publicKey } = pair();

  test('is opened with the private key only', async () => {
    const sealed = await seal('the token', 'ana@example.org', publicKey);
    expect(sealed).not.toContain('the token');
    expect(await unseal(sealed, 'ana@example.org', privateKey)).toBe('the token');
    await expect(unseal(sealed, 'ana@example.org', pair().privateKey)).rejects.toThrow('decryption');
    await expect(unseal(sealed, 'ana@example.org', publicKey)).rejects.toThrow();
  });

  test('differs each time', async () => {
    const texts = await Promise.all([1, 2].map(() => seal('the token', 'ana@example.org', publicKey)));
    expect(texts[0]).not.toBe(texts[1]);
  });

  test('cannot be opened for another recipient', async () => {
    const sealed = await seal('the token', 'ana@example.org', publicKey);
    await expect(unseal(sealed, 'eva@example.org', privateKey)).rejects.toThrow('for somebody else');
  });

  test('is rejected when it was changed, or encrypted by other means', async () => {
    const sealed = await seal('the token', 'ana@example.org', publicKey);
    const [header, key, iv, text, tag] = sealed.split('.') as [string, string, string, string, string];
    const changed = [header, key, iv, `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`, tag].join('.');
    await expect(unseal(changed, 'ana@example.org', privateKey)).rejects.toThrow();
    const other = await new CompactEncrypt(new TextEncoder().encode('["ana@example.org","the token"]'))
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM' })
      .encrypt(publicKey);
    await expect(unseal(other, 'ana@example.org', privateKey)).rejects.toThrow();
  });
});

test('a keyed digest depends on text, secret and purpose', () => {
  const digest = keyedDigest('one secret', 'networks');
  expect(digest('203.0.113.7')).toBe(keyedDigest('one secret', 'networks')('203.0.113.7'));
  const others = [
    digest('203.0.113.8'),
    keyedDigest('another secret', 'networks')('203.0.113.7'),
    keyedDigest('one secret', 'accounts')('203.0.113.7'),
  ];
  expect(others).not.toContain(digest('203.0.113.7'));
});
