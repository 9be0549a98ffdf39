import { constants, createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

/** Durable writes in one call instead of a write and a sync. */
const DURABLY = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_DSYNC;

interface Waiter {
  line: string;
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

/** An append-only file of lines. Lines that arrive during a write share the next write. */
interface Journal {
  /** Resolves when the line is durable. After a failed write the journal takes no more lines. */
  append(line: string): Promise<void>;
  /** Resolves when everything appended so far is durable: reads wait for it before they answer. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** @param snapshot what the file contains from now on, instead of what it contained */
export async function openJournal(path: string, snapshot: Iterable<string>): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await replaceFile(path, snapshot);
  let waiting: Waiter[] = [];
  let working: Promise<void> | undefined;
  let failure: unknown;

  async function work() {
    // One turn of the event loop batches the requests that are already here.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (failure) throw failure;
        // A failed write may be partly in the file: more lines after it would be lost.
        await file.appendFile(batch.map(({ line }) => line).join('')).catch((error: unknown) => {
          failure = error;
          throw error;
        });
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // Without an await since the last check of the queue, no line can be left behind.
    working = undefined;
  }
  const enqueue = (line: string): Promise<void> => {
    const done = new Promise<void>((resolve, reject) => waiting.push({ line, resolve, reject }));
    working ??= work();
    return done;
  };

  return {
    append: (line) => enqueue(line + '\n'),
    settled: () => (working ? enqueue('') : Promise.resolve()),
    async close() {
      await working;
      failure ??= new Error('The journal is closed.');
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
