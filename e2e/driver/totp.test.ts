import { expect, test } from '@jest/globals';
import { totp } from './totp.ts';

// The last six of the eight digits of RFC 6238, appendix B; its secret is the text "12345678901234567890".
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
])('at second %i an app shows %s', (seconds, code) => {
  expect(totp('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', seconds * 1000)).toBe(code);
});
