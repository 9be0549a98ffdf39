import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor leads back to where the page ended', () => {
  const at: [string, string] = ['2026-03-01T16:00:00.000Z', 'photo-1'];
  expect(decodeCursor(encodeCursor(at))).toEqual(at);
});

test.each(['', 'x', 'e30', Buffer.from('["yesterday","x"]').toString('base64url')])(
  '%j is no cursor of ours',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ type: 'validation-failed' }));
  },
);
