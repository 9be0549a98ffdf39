import { expect, test } from '@jest/globals';
import { readFrames, toFrame } from './frames.ts';
import { all } from '../testing/all.ts';

const objects = [
  { key: 'a/b.jpg', contentType: 'image/jpeg', bytes: Buffer.from('one\ntwo\n{"key":') },
  { key: 'leer', contentType: 'text/plain', bytes: Buffer.alloc(0) },
  { key: 'c', contentType: 'image/png', bytes: Buffer.alloc(5_000, 10) },
];

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test.each([1, 7, 100_000])('objects are read as they were written, in pieces of %d bytes', async (size) => {
  const found = await all(readFrames(inPieces(Buffer.concat(objects.map(toFrame)), size)));
  expect(
    found.map(({ key, contentType, bytes }) => ({ key, contentType, bytes: Buffer.from(bytes) })),
  ).toEqual(objects);
});

test('a stream that ends within an object is told', async () => {
  const whole = Buffer.concat(objects.map(toFrame));
  for (const length of [whole.length - 1, 5])
    await expect(all(readFrames(inPieces(whole.subarray(0, length), 64)))).rejects.toThrow('in the middle');
});
