import { Problem } from '@arboleda/contracts/problems.ts';
import { expect, test } from '@jest/globals';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';

const position: Position = ['2026-11-21T15:00:00.000Z', '65f0c0ffee0123456789abcd'];

test('a cursor leads back to where the page ended', () => {
  expect(decodeCursor(encodeCursor(position))).toEqual(position);
  expect(encodeCursor(position)).toMatch(/^[\w-]{1,200}$/);
});

test.each([
  ['empty', ''],
  ['random', 'nonsense'],
  ['cut off', encodeCursor(position).slice(0, -3)],
  ['of other content', Buffer.from('{"a":1}').toString('base64url')],
  ['of one part', Buffer.from(JSON.stringify([position[0]])).toString('base64url')],
  ['of a wrong id', encodeCursor([position[0], "x' or 1=1"])],
  ['of a wrong instant', encodeCursor(['yesterday', position[1]])],
])('a cursor that is %s is refused by name', (_what, cursor) => {
  const refused = (() => {
    try {
      return decodeCursor(cursor);
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(Problem);
  expect(refused).toMatchObject({ type: 'validation-failed', fields: [{ path: 'cursor', type: 'invalid' }] });
});
