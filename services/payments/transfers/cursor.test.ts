import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor leads back to where the page ended', () => {
  const position: [string, string] = ['2026-11-22T10:00:00.000Z', '7b0d4c0e-9d6c-4d8e-8d0b-5b7f6f1f6a01'];
  expect(decodeCursor(encodeCursor(position))).toEqual(position);
});

test.each([
  ['nothing', ''],
  ['no JSON', 'bm8'],
  ['another list’s', Buffer.from('["2026-11-22T10:00:00.000Z"]').toString('base64url')],
  ['no time', Buffer.from('["now","a"]').toString('base64url')],
])('a cursor that is %s is refused by its name', (_what, cursor) => {
  expect(() => decodeCursor(cursor)).toThrow(
    expect.objectContaining({ type: 'validation-failed', fields: [{ path: 'cursor', type: 'invalid' }] }),
  );
});
