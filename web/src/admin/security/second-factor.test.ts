import { expect, test } from '@jest/globals';
import { grouped } from './second-factor.ts';

test.each([
  ['ABCDEFGH', 'ABCD EFGH'],
  ['ABCDEFGHI', 'ABCD EFGH I'],
  ['ABCD EFGH', 'ABCD EFGH'],
  ['', ''],
])('%j is read as %j', (secret, read) => {
  expect(grouped(secret)).toBe(read);
});
