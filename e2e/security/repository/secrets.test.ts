import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { secretsIn } from './secrets.ts';

const random = randomBytes(24).toString('hex');

test.each([
  ['a key of Stripe', `const key = 'sk_${'live'}_${random.slice(0, 24)}';`],
  ['a private key', `-----BEGIN ${'PRIVATE'} KEY-----\\nMC4CAQAwBQYDK2VwBCIEI`],
  ['a key of AWS', `AKIA${'QWERTYUIOP123456'}`],
  ['an address with a password', `postgres://orders:${random}@db.internal/orders`],
  ['something random that is called a secret', `SERVICE_SECRET=${random}`],
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
