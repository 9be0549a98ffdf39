import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { secretsIn } from './secrets.ts';

const random = createHash('sha256').update('a secret').digest('hex').slice(0, 48);

test.each([
  ['a key of Stripe', `const key = 'sk_${'live'}_${random.slice(0, 24)}';`],
  ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----\\nMC4CAQAwBQYDK2VwBCIEI`],
  ['a key of AWS', `AKIA${'QWERTYUIOP123456'}`],
  ['an address with a password', `postgres://orders:${random}@db.internal/orders`],
  ['something random that is called a secret', `SERVICE_SECRET=${random}`],
  // Random digits repeat themselves at times.
  ['something random that is called a secret', `SERVICE_SECRET=${'a'.repeat(12)}${random.slice(12)}`],
])('%s is found', (what, line) => {
  expect(secretsIn(`before\n${line}\nafter`).map((found) => found.what)).toEqual([what]);
});

test.each([
  'const token = readToken(request.headers.authorization)',
  'password: z.string().min(10)',
  'SERVICE_SECRET=',
])('%s is none', (line) => {
  expect(secretsIn(line)).toEqual([]);
});
