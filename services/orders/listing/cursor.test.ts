import { ORDER_SORTS } from '@arboleda/contracts/endpoints/orders/listing.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { expect, test } from '@jest/globals';
import { payment } from '../test/builders.ts';
import { decidePayment } from '../decisions/creation.ts';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';
import { positionOf } from './sort.ts';

const order = decidePayment(undefined, payment({ customer: { name: 'Ñandú '.repeat(19) } }).data)!.document;
const newest: Cursor = { sort: 'newest', position: ['2026-11-21T15:00:00.000Z', '65f0c0ffee0123456789abcd'] };

test.each(ORDER_SORTS)('a cursor of the list by %s leads back to where the page ended', (sort) => {
  const cursor = { sort, position: positionOf(order, sort) };
  expect(encodeCursor(cursor)).toMatch(/^[\w-]{1,400}$/);
  expect(decodeCursor(encodeCursor(cursor), undefined)).toEqual(cursor);
  expect(decodeCursor(encodeCursor(cursor), sort)).toEqual(cursor);
});

const sealed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const [at, id] = newest.position;

test.each([
  ['empty', ''],
  ['random', 'nonsense'],
  ['cut off', encodeCursor(newest).slice(0, -3)],
  ['of other content', sealed({ a: 1 })],
  ['of an unknown order', sealed(['tallest', [1, id]])],
  ['of one part', sealed(['newest', [at]])],
  ['of a wrong id', sealed(['newest', [at, "x' or 1=1"]])],
  ['of a wrong instant', sealed(['newest', ['yesterday', id]])],
  ['of a number too large', sealed(['trees', [1e300, id]])],
  ['of letters that cannot be stored', sealed(['name', ['\u0000', id]])],
  ['of half a letter', sealed(['name', ['\ud800', id]])],
])('a cursor that is %s is refused by name', (_what, cursor) => {
  expect(refusalOf(() => decodeCursor(cursor, undefined))).toMatchObject({
    ...{ type: 'validation-failed', fields: [{ path: 'cursor', type: 'invalid' }] },
  });
});

test('a cursor of a list in another order is refused', () => {
  const refused = refusalOf(() => decodeCursor(encodeCursor(newest), 'oldest'));
  expect(refused).toMatchObject({ type: 'validation-failed', fields: [{ path: 'cursor' }] });
});

function refusalOf(decide: () => unknown): Problem {
  try {
    decide();
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return error as Problem;
  }
  throw new Error('nothing was refused');
}
