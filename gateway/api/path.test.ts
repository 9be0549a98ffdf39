import { describe, expect, test } from '@jest/globals';
import { isPlainPath, pathPart } from './path.ts';

describe('a path that everybody reads alike', () => {
  test.each(['/', '/plant-trees', '/api/photos/ab-C_1.jpg', '/%C3%A1rboles', '/orders/a.b', '/a/..b'])(
    '%s',
    (path) => {
      expect(isPlainPath(path)).toBe(true);
    },
  );
});

describe('a path that two readers could take differently', () => {
  test.each([
    '',
    'api/stats',
    '*',
    '//host/x',
    '/a/../b',
    '/a/..',
    '/./a',
    '/a/%2e%2e/b',
    '/a/%2E',
    '/a%2fb',
    '/a%5cb',
    '/a\\b',
    '/a%252fb',
    '/a%00',
    '/a%7f',
    '/a%0a',
    '/a b',
    '/a\tb',
    '/a#b',
    '/a%3fb',
    '/a%ff',
    '/a%c0%ae',
    '/a%',
  ])('%j', (path) => {
    expect(isPlainPath(path)).toBe(false);
  });
});

test('a query is no part of the path', () => {
  expect(pathPart('/a?next=/../b')).toBe('/a');
  expect(pathPart('/a')).toBe('/a');
});
