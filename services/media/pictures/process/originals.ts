import { spend } from '@arboleda/chassis/http/spent.ts';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Takes files out of a stream in which they lie one behind the other, in the order in which they are asked for. */
export function openOriginals(stream: Readable): (sizeBytes: number) => Promise<Buffer> {
  let last: Promise<unknown> = Promise.resolve();
  return (sizeBytes) => {
    const taken = last.then(() => take(stream, sizeBytes));
    last = taken;
    return taken;
  };
}

async function take(stream: Readable, sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let length = 0;
  while (length < sizeBytes) {
    const piece = stream.read() as Buffer | null;
    if (!piece) {
      await once(stream, 'readable');
      continue;
    }
    const copied = piece.copy(bytes, length);
    length += copied;
    // The beginning of the next one.
    if (copied < piece.length) stream.unshift(piece.subarray(copied));
    else spend(piece);
  }
  return bytes;
}
