import { open, mkdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { constants, createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { dirname } from 'node:path';

/** Durable writes in one call instead of a write and a sync. */
const DURABLY =
  constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_DSYNC ?? constants.O_SYNC);

interface Waiter {
  text: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface JournalOptions {
  path: string;
  /** All current lines: what compaction writes. */
  snapshot: () => Iterable<string>;
  /** Compacts when the file exceeds this and twice its size after the last compaction. */
  compactAboveBytes?: number;
}

/** Lines of a journal. An incomplete last line, left by a crash, is skipped: it was never acknowledged. */
export async function* readJournal(path: string): AsyncGenerator<unknown> {
  if (!existsSync(path)) return;
  let torn: string | undefined;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (torn !== undefined) throw new Error(`${path} is damaged in the middle: ${torn.slice(0, 80)}`);
    if (line === '') continue;
    try {
      yield JSON.parse(line);
    } catch {
      torn = line;
    }
  }
}

/**
 * An append-only file of lines. Lines that arrive during a write share the next write and sync. A failed write keeps
 * its lines for the next attempt, so the file never has a gap.
 */
export class Journal {
  readonly #options: Required<JournalOptions>;
  #file: FileHandle | undefined;
  #waiting: Waiter[] = [];
  #unwritten = '';
  #bytes = 0;
  #compactedBytes = 0;
  #working = false;
  /** The last write failed and may be partly in the file. */
  #isTorn = false;

  constructor(options: JournalOptions) {
    this.#options = { compactAboveBytes: 64 * 1024 * 1024, ...options };
  }

  /** Compacts the file and opens it for writing. */
  async open(): Promise<void> {
    await mkdir(dirname(this.#options.path), { recursive: true });
    await this.#compact();
  }

  /** Resolves when the line is durable. */
  append(line: string): Promise<void> {
    return this.#enqueue(line + '\n');
  }

  /** Resolves when everything appended so far is durable: reads wait for it before they answer. */
  settled(): Promise<void> {
    return this.#working || this.#unwritten ? this.#enqueue('') : Promise.resolve();
  }

  async close(): Promise<void> {
    await this.settled().catch(() => undefined);
    await this.#file?.close();
    this.#file = undefined;
  }

  #enqueue(text: string): Promise<void> {
    const done = new Promise<void>((resolve, reject) => this.#waiting.push({ text, resolve, reject }));
    if (!this.#working) void this.#work();
    return done;
  }

  async #work(): Promise<void> {
    this.#working = true;
    // One turn of the event loop batches the requests that are already here.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      this.#unwritten += batch.map((waiter) => waiter.text).join('');
      try {
        await this.#write();
        for (const waiter of batch) waiter.resolve();
      } catch (error) {
        for (const waiter of batch) waiter.reject(error);
      }
    }
    // Without an await since the last check of the queue, no line can be left behind.
    this.#working = false;
  }

  async #write(): Promise<void> {
    if (!this.#file) throw new Error('The journal is closed.');
    const limit = Math.max(this.#options.compactAboveBytes, 2 * this.#compactedBytes);
    // Waiting lines are already part of the state, so the snapshot contains them.
    if (this.#bytes > limit) return this.#compact();
    if (this.#unwritten === '') return;
    const text = Buffer.from(this.#unwritten);
    if (this.#isTorn) await this.#file.truncate(this.#bytes);
    this.#isTorn = true;
    await writeAll(this.#file, text, this.#bytes);
    this.#isTorn = false;
    this.#bytes += text.length;
    this.#unwritten = '';
  }

  async #compact(): Promise<void> {
    const { path, snapshot } = this.#options;
    const next = await open(`${path}.next`, DURABLY);
    let bytes = 0;
    try {
      for (const lines of chunks(snapshot(), 1024 * 1024))
        bytes += await writeAll(next, Buffer.from(lines), bytes);
      await rename(`${path}.next`, path);
    } catch (error) {
      await next.close();
      await rm(`${path}.next`, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
    await this.#file?.close();
    this.#file = next;
    this.#isTorn = false;
    this.#bytes = this.#compactedBytes = bytes;
    this.#unwritten = '';
  }
}

async function writeAll(file: FileHandle, data: Buffer, position: number): Promise<number> {
  let written = 0;
  while (written < data.length) {
    const { bytesWritten } = await file.write(data, written, data.length - written, position + written);
    written += bytesWritten;
  }
  return written;
}

/** Eager, because the state must not change during a snapshot. */
function chunks(lines: Iterable<string>, sizeChars: number): string[] {
  const taken: string[] = [];
  let chunk = '';
  for (const line of lines) {
    chunk += line + '\n';
    if (chunk.length >= sizeChars) {
      taken.push(chunk);
      chunk = '';
    }
  }
  return [...taken, chunk];
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
