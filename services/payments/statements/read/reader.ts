import { type FieldFault, Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { Worker } from 'node:worker_threads';
import type { FileFacts } from './facts.ts';
import type { ReadOptions } from './movement.ts';

export interface FileToRead extends ReadOptions {
  bytes: Uint8Array;
  /** Number of the configured account. */
  account: string;
}

export interface ReadFile {
  facts: FileFacts;
  /**
   * Its credits and debits as JSON. They stay text on their way to the database: 20,000 objects would hold requests up.
   */
  credits: string;
  debits: string;
}

export type Answer = { file: ReadFile } | { problem: { type: ProblemType; fields: readonly FieldFault[] } };

/** Two of them fit beside the service in its gigabyte: docker-compose.yml. A file of 20 MB takes less than 256. */
const MAX_HEAP_MB = 320;
const READ_WITHIN_MS = 40_000;
const READERS = 2;

/**
 * Reads a file in a thread with its own, bounded memory: requests go on in the meantime, and a file that takes too much
 * ends only its thread. Two files at a time, so that one that takes long does not keep others waiting.
 * @throws Problem as readStatement, or `statement-unreadable` when memory or time run out
 */
export function statementReader(
  bounds = { heapMb: MAX_HEAP_MB, withinMs: READ_WITHIN_MS },
): (file: FileToRead) => Promise<ReadFile> {
  let free = READERS;
  const waiting: (() => void)[] = [];
  return async (file) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await read(file, bounds);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

async function read(
  file: FileToRead,
  { heapMb, withinMs }: { heapMb: number; withinMs: number },
): Promise<ReadFile> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    execArgv: [],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the reader ended with ${code}`)));
  const timer = setTimeout(() => reject(new Error('reading takes too long')), withinMs);
  const answer = await promise
    .catch((cause: unknown) => {
      throw new Problem('statement-unreadable', { cause });
    })
    .finally(() => {
      clearTimeout(timer);
      void worker.terminate();
    });
  if ('problem' in answer) throw new Problem(answer.problem.type, { fields: answer.problem.fields });
  return answer.file;
}
