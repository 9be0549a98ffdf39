import { releaseMemory } from '@arboleda/chassis/http/release-memory.ts';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Variant } from '../../photos/photo.ts';
import type { Format } from '../formats.ts';

/** Pipe for the originals, in the order of decoding. IPC messages would copy them three times. */
export const ORIGINALS_FD = 4;

/** A request to the process. `photo` numbers the decoded photos there. */
export type Asked =
  | { do: 'decode'; photo: number; sizeBytes: number }
  | { do: 'encode'; photo: number; nominalWidth: number; format: Format }
  | { do: 'release'; photo: number };

export interface Answers {
  /** Widths to make, smallest first. */
  decode: readonly number[];
  encode: Variant & { bytes: Buffer };
  release: undefined;
}

export type Question = Asked & { id: number };
export type Answer = { id: number } & ({ value: unknown } | { failure: string });

/** Reads consecutive files from a stream, in the order of the calls. */
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
    // The rest belongs to the next file.
    if (copied < piece.length) stream.unshift(piece.subarray(copied));
    else releaseMemory(piece);
  }
  return bytes;
}
