/**
 * A backup is streams of frames: a line of JSON, then as many bytes as it says. What a service has comes in one stream,
 * and the last frame counts the frames before it, so that a stream that breaks off is never taken for a whole one.
 */
export type Header =
  /** First: the migrations that made the tables. */
  | { kind: 'schema'; service: string; migrations: string[]; chassis: string[] }
  /** Bytes: rows in PostgreSQL's COPY text format. Large tables come in several frames. */
  | { kind: 'rows'; table: string; columns: string }
  /** After the rows of a table: the server's own count and sum of them. */
  | ({ kind: 'table'; table: string } & TableSum)
  | { kind: 'sequence'; name: string; last: string }
  | { kind: 'job'; task: string; payload: unknown; runAt: string; maxAttempts: number; key: string | null }
  | { kind: 'letter'; letter: DeadLetterCopy }
  /** An event that its service had not published yet. */
  | { kind: 'outbox'; event: { id: string; type: string; key: string } }
  /** A document of a store that is not in tables in every tier: see DocumentCopies. */
  | { kind: 'document'; document: object }
  /** Bytes: an object. */
  | { kind: 'object'; key: string; contentType: string }
  /** Bytes: a file. */
  | { kind: 'file'; path: string }
  /** Bytes: a line each, of what other services have to agree with: see services/<name>/operator/facts.sql. */
  | { kind: 'facts'; fact: string };

export interface TableSum {
  rows: number;
  sum: string;
}

/** A job or an event that was given up. */
export interface DeadLetterCopy {
  id: string;
  kind: 'event' | 'job';
  /** The event's consumer group, or the job's service. */
  owner: string;
  task: string;
  key: string | null;
  payload: unknown;
  error: string;
  failedAt: string;
}

export interface Frame {
  header: Header;
  bytes: Uint8Array;
}

const NEWLINE = 10;
const NOTHING = new Uint8Array();

type Sized = Header & { sizeBytes: number };
interface Ending {
  end: number;
}

/** @param bytes none for most kinds */
export const toFrame = (header: Header, bytes: Uint8Array = NOTHING): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ ...header, sizeBytes: bytes.length })}\n`), bytes]);

/** Adds the last frame. */
export async function* withEnding(frames: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let end = 0;
  for await (const frame of frames) {
    end++;
    yield frame;
  }
  yield Buffer.from(`${JSON.stringify({ end } satisfies Ending)}\n`);
}

/** @throws when the stream ends early, or has another number of frames than its last one says */
export async function* readFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const source = openReader(chunks);
  for (let frames = 0; ; frames++) {
    const line = await source.line();
    if (line === undefined) throw new Error('it breaks off: its last line is missing');
    const head = JSON.parse(line) as Sized | Ending;
    if ('end' in head) {
      if (head.end !== frames) throw new Error(`it is not whole: ${frames} of ${head.end} parts came`);
      return;
    }
    const { sizeBytes, ...header } = head;
    const bytes = await source.bytes(sizeBytes);
    if (!bytes) throw new Error('it breaks off in the middle of a part');
    yield { header: header as Header, bytes };
  }
}

interface Reader {
  /** The next line, without its end; undefined at the end of the stream. */
  line(): Promise<string | undefined>;
  /** The next bytes; undefined when the stream has fewer. */
  bytes(sizeBytes: number): Promise<Uint8Array | undefined>;
  /** All that was not read yet. */
  rest(): AsyncGenerator<Uint8Array>;
}

/** Reads lines and bytes by turns. */
export function openReader(chunks: AsyncIterable<Uint8Array>): Reader {
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
  const take = (sizeBytes: number) => {
    const bytes = held.subarray(0, sizeBytes);
    held = held.subarray(sizeBytes);
    return bytes;
  };
  return {
    async line() {
      while (!held.includes(NEWLINE)) if (!(await hold(held.length + 1))) return undefined;
      const line = take(held.indexOf(NEWLINE) + 1);
      return line.subarray(0, -1).toString();
    },
    bytes: async (sizeBytes) => ((await hold(sizeBytes)) ? take(sizeBytes) : undefined),
    async *rest() {
      if (held.length > 0) yield take(held.length);
      for (;;) {
        const { value, done } = await source.next();
        if (done) return;
        yield value;
      }
    },
  };
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
