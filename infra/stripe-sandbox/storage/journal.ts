import { constants, createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

/** Durable writes in one call instead of a write and a sync. */
const DURABLY =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_TRUNC | constants.O_DSYNC;

interface Waiter {
  line: string;
  /** Called once the line is durable, also when that is later than its failure was told. */
  written: () => void;
  resolve: () => void;
  reject: (error: unknown) => void;
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
 * An append-only file of lines. Lines that arrive during a write share the next write. What could not be written, because the
 * disk is full, is told as failed and comes first in the next write.
 */
interface Journal {
  /** Resolves when the line is durable. @param written called then, or when a later write takes the line along */
  append(line: string, written?: () => void): Promise<void>;
  /** Resolves when everything appended so far is durable: reads wait for it before they answer. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param snapshot what the file contains from now on, instead of what it contained
 * @param append writes to the end of the file; a test fills the disk with it
 */
export async function openJournal(
  path: string,
  snapshot: Iterable<string>,
  append = (file: FileHandle, text: string) => file.appendFile(text),
): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await replaceFile(path, snapshot);
  let { size } = await file.stat();
  let waiting: Waiter[] = [];
  let unwritten: Waiter[] = [];
  let working: Promise<void> | undefined;
  let isClosed = false;

  /** A write that failed may be partly in the file. */
  async function write(text: string) {
    if (unwritten.length > 0) await file.truncate(size);
    await append(file, text);
    size += Buffer.byteLength(text);
  }

  async function work() {
    // One turn of the event loop batches the requests that are already here.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const all = [...unwritten, ...batch];
      try {
        if (isClosed) throw new Error('The journal is closed.');
        await write(all.map(({ line }) => line).join(''));
        unwritten = [];
        for (const { written } of all) written();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        unwritten = all;
        for (const { reject } of batch) reject(error);
      }
    }
    // Without an await since the last check of the queue, no line can be left behind.
    working = undefined;
  }
  const enqueue = (line: string, written = () => undefined as void): Promise<void> => {
    const done = new Promise<void>((resolve, reject) => waiting.push({ line, written, resolve, reject }));
    working ??= work();
    return done;
  };

  return {
    append: (line, written) => enqueue(`${line}\n`, written),
    settled: () => (working || unwritten.length > 0 ? enqueue('') : Promise.resolve()),
    async close() {
      await working;
      isClosed = true;
      await file.close();
    },
  };
}

/** Writes a new file beside the old one and renames it, so that a crash leaves one of them whole. */
async function replaceFile(path: string, lines: Iterable<string>): Promise<FileHandle> {
  const file = await open(`${path}.next`, DURABLY);
  try {
    let chunk = '';
    for (const line of lines) {
      chunk += line + '\n';
      if (chunk.length < 1024 * 1024) continue;
      await file.appendFile(chunk);
      chunk = '';
    }
    await file.appendFile(chunk);
    await rename(`${path}.next`, path);
  } catch (error) {
    await file.close();
    await rm(`${path}.next`, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
  return file;
}
