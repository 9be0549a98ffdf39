/** Numbers by kind: documents of each collection, objects, messages. */
export type Counts = Record<string, number>;

/** The last line of every dump. A dump without it is incomplete. */
export const toEnding = (counts: Counts): string => JSON.stringify({ end: counts });

/** @returns undefined for any other line */
export const endingOf = (line: object): Counts | undefined => (line as { end?: Counts }).end;

/** @throws when the last line is missing or does not match the counts */
export function checkEnding(what: string, ending: Counts | undefined, counted: Counts): void {
  if (!ending) throw new Error(`${what} break off: their last line is missing`);
  for (const kind of new Set([...Object.keys(ending), ...Object.keys(counted)])) {
    const [there = 0, came = 0] = [ending[kind], counted[kind]];
    if (there !== came) throw new Error(`${what} are not whole: ${came} of ${there} ${kind} came`);
  }
}

/** Splits at line feeds only: node:readline also splits at U+2028, which texts may contain. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop()!;
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** One line of JSON before the bytes of an object. */
interface Header {
  key: string;
  contentType: string;
  sizeBytes: number;
}

interface Framed extends Header {
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
