import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { licencesOf } from './licences.ts';
import { secretsIn } from './secrets.ts';

describe('secrets', () => {
  const random = createHash('sha256').update('a secret').digest('hex').slice(0, 48);

  test.each([
    ['a key of Stripe', `const key = 'sk_${'live'}_${random.slice(0, 24)}';`],
    ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----\\nMC4CAQAwBQYDK2VwBCIEI`],
    ['a key of AWS', `AKIA${'QWERTYUIOP123456'}`],
    ['an address with a password', `postgres://orders:${random}@db.internal/orders`],
    ['something random that is called a secret', `QUOTE_SECRET=${random}`],
    // Random digits repeat themselves at times.
    ['something random that is called a secret', `QUOTE_SECRET=${'a'.repeat(12)}${random.slice(12)}`],
  ])('%s is found', (what, line) => {
    expect(secretsIn(`before\n${line}\nafter`).map((found) => found.what)).toEqual([what]);
  });

  test.each([
    'const token = readToken(request.headers.authorization)',
    'password: z.string().min(10)',
    'QUOTE_SECRET=',
  ])('%s is none', (line) => {
    expect(secretsIn(line)).toEqual([]);
  });
});

describe('licences', () => {
  const lockOf = (packages: object) => {
    const root = mkdtempSync(join(tmpdir(), 'arboleda-licences-'));
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
    const licences = licencesOf(root);
    rmSync(root, { recursive: true });
    return licences;
  };

  test('an optional package that is not installed and names none is left out', () => {
    const { packages, others } = lockOf({
      'node_modules/kept': { license: 'MIT' },
      'node_modules/native': { optional: true },
    });
    expect({ packages, others }).toEqual({ packages: 1, others: [] });
  });

  test('a licence that is not allowed is named, also of an optional package', () => {
    const { others } = lockOf({
      'node_modules/copied': { license: 'AGPL-3.0', optional: true },
      'node_modules/silent': {},
    });
    expect(others).toEqual(['copied: AGPL-3.0', 'silent: unknown']);
  });
});
