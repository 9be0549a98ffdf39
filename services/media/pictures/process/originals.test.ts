import { expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { openOriginals } from './originals.ts';

test('files that lie one behind the other are told apart, however they come in pieces', async () => {
  const files = [10, 0, 70_000, 1, 200_000].map((size) => Buffer.from(randomBytes(size)));
  const stream = new PassThrough();
  const next = openOriginals(stream);
  const taken = files.map(({ length }) => next(length));
  const all = Buffer.concat(files);
  for (let at = 0; at < all.length; at += 7_001) {
    stream.write(all.subarray(at, at + 7_001));
    if (at % 3 === 0) await new Promise(setImmediate);
  }
  for (const [index, file] of files.entries()) expect((await taken[index]!).equals(file)).toBe(true);
});
