import { expect, test } from '@jest/globals';
import { requireSecret } from './secret.ts';

const SECRET = 's'.repeat(32);

test('who knows the secret may pass', () => {
  expect(() => requireSecret(`Bearer ${SECRET}`, SECRET)).not.toThrow();
});

test.each([undefined, '', SECRET, `bearer ${SECRET}`, `Bearer ${SECRET} `, `Bearer ${'s'.repeat(31)}`])(
  'nobody passes with %j',
  (authorization) => {
    expect(() => requireSecret(authorization, SECRET)).toThrow(
      expect.objectContaining({ type: 'unauthenticated' }),
    );
  },
);
