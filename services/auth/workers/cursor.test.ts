import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursor.ts';

test.each(['QU-014', 'Ñ-1'])('a page goes on after %s', (code) => {
  expect(decodeCursor(encodeCursor(code))).toBe(code);
});

test.each(['', '!', 'a\u0000b', encodeCursor('a\u0000b'), `${encodeCursor('QU-014')}=`, '_w'])(
  '%j is no place in a list',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(
      expect.objectContaining({ fields: [{ path: 'cursor', type: 'invalid' }] }),
    );
  },
);
