import { expect, test } from '@jest/globals';
import { keyKind } from './keys.ts';

const keys = { secretKey: 'sk_test_mine', publishableKey: 'pk_test_mine' };
const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

test.each([
  ['Bearer sk_test_mine', undefined, 'secret'],
  ['bearer pk_test_mine', undefined, 'publishable'],
  [basic('sk_test_mine'), undefined, 'secret'],
  [undefined, 'pk_test_mine', 'publishable'],
])('a key in %s or %s is known', (header, param, kind) => expect(keyKind(header, param, keys)).toBe(kind));

test.each([
  [undefined, undefined, /did not provide an API key/],
  ['Bearer ', undefined, /did not provide an API key/],
  ['Digest sk_test_mine', undefined, /did not provide an API key/],
  ['Bearer sk_test_theirs_and_long', undefined, /Invalid API Key provided: sk_test_\*+long/],
  [undefined, ['pk_test_mine'], /did not provide an API key/],
])('nothing else is: %s', (header, param, message) =>
  expect(() => keyKind(header, param, keys)).toThrow(message),
);
