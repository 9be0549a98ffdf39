import { expect, test } from '@jest/globals';
import { all } from '../testing/all.ts';
import { linesOf } from './lines.ts';

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 3, 1_000])('in pieces of %d bytes, only a line feed ends a line', async (size) => {
  expect(await all(linesOf(inPieces('{"a":"ñ\u2028x\r"}\n\nlast', size)))).toEqual([
    '{"a":"ñ\u2028x\r"}',
    '',
    'last',
  ]);
  expect(await all(linesOf(inPieces('one\n', size)))).toEqual(['one']);
});
