import { expect, test } from '@jest/globals';
import { isDoubtful } from './message.ts';

test.each([
  ['a plain request', 1, ['Host', 'a', 'Accept', '*/*'], false],
  ['a request of HTTP/1.0 without a host', 1, [], false],
  ['a header whose value is the word', 1, ['Host', 'a', 'X', 'host'], false],
  ['two hosts', 1, ['Host', 'a', 'hOST', 'b'], true],
  ['the same host twice', 1, ['Host', 'a', 'Host', 'a'], true],
  ['a request without a version', 0, [], true],
])('%s', (_name, httpVersionMajor, rawHeaders, isOne) => {
  expect(isDoubtful({ httpVersionMajor, rawHeaders })).toBe(isOne);
});
