/** Before the bytes of an object: one line of JSON. */
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

/** @throws when the stream ends within an object. */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Framed> {
  const source = chunks[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);
  /** @returns false when there is no more than that */
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
  for (;;) {
    while (!held.includes(NEWLINE)) {
      if (await hold(held.length + 1)) continue;
      if (held.length > 0) throw new Error('the objects end in the middle of one');
      return;
    }
    const end = held.indexOf(NEWLINE);
    const header = JSON.parse(held.subarray(0, end).toString()) as Header;
    held = held.subarray(end + 1);
    if (!(await hold(header.sizeBytes))) throw new Error('the objects end in the middle of one');
    yield { ...header, bytes: held.subarray(0, header.sizeBytes) };
    held = held.subarray(header.sizeBytes);
  }
}
