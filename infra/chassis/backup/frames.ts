import { checkEnding, type Counts, endingOf, toEnding } from './ending.ts';

/** One line of JSON before the bytes of an object. */
export interface Header {
  key: string;
  contentType: string;
  sizeBytes: number;
}

export interface Framed extends Header {
  bytes: Uint8Array;
}

const NEWLINE = 10;

export const toFrame = ({ bytes, key, contentType }: Omit<Framed, 'sizeBytes'>): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ key, contentType, sizeBytes: bytes.length })}\n`), bytes]);

export const toLastFrame = (counts: Counts): Buffer => Buffer.from(`${toEnding(counts)}\n`);

/** @throws when the stream ends early, or with another number of objects */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Framed> {
  const source = chunks[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  /** @returns false when the stream has fewer bytes */
  const hold = async (sizeBytes: number): Promise<boolean> => {
    const parts: Uint8Array[] = [held];
    let size = held.length;
    while (size < sizeBytes) {
      const { value, done } = await source.next();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
    held = Buffer.concat(parts);
    return size >= sizeBytes;
  };
  for (let objects = 0; ; objects++) {
    while (!held.includes(NEWLINE)) {
      if (await hold(held.length + 1)) continue;
      return checkEnding('the objects', undefined, { objects });
    }
    const end = held.indexOf(NEWLINE);
    const header = JSON.parse(held.subarray(0, end).toString()) as Header;
    const ending = endingOf(header);
    if (ending) return checkEnding('the objects', ending, { objects });
    held = held.subarray(end + 1);
    if (!(await hold(header.sizeBytes))) return checkEnding('the objects', undefined, { objects });
    yield { ...header, bytes: held.subarray(0, header.sizeBytes) };
    held = held.subarray(header.sizeBytes);
  }
}
