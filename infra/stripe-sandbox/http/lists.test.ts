import { expect, test } from '@jest/globals';
import { decodeForm } from './form.ts';
import { listShape, page } from './lists.ts';
import { readParams } from './params.ts';

/** Newest first. */
const objects = [5, 4, 3, 2, 1].map((created) => ({ id: `o_${created}`, created }));
const ask = (query: string) => {
  const { data, has_more } = page(objects, readParams(decodeForm(query), listShape), '/v1/objects', 'object');
  return { ids: data.map(({ created }) => created).join(''), has_more };
};

test.each([
  ['', '54321', false],
  ['limit=2', '54', true],
  ['limit=2&starting_after=o_4', '32', true],
  ['limit=2&starting_after=o_3', '21', false],
  ['limit=2&ending_before=o_2', '43', true],
  ['limit=5&ending_before=o_3', '54', false],
  ['created[gte]=2&created[lt]=4', '32', false],
  ['created=3', '3', false],
])('a list asked with "%s"', (query, ids, has_more) => expect(ask(query)).toEqual({ ids, has_more }));

test.each([
  ['limit=0'],
  ['limit=101'],
  ['limit=x'],
  ['starting_after=o_9'],
  ['created[near]=1'],
  ['colour=green'],
])('is refused with "%s"', (query) => expect(() => ask(query)).toThrow());
