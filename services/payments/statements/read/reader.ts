import { type FieldFault, Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { Worker } from 'node:worker_threads';
import type { Reading, ReadOptions } from './movement.ts';

type Answer = { reading: Reading } | { problem: { type: ProblemType; fields: readonly FieldFault[] } };

const MAX_HEAP_MB = 512;
const READ_WITHIN_MS = 40_000;

/**
 * Reads a file in a thread with its own, bounded memory: requests go on meanwhile, and a file that takes too much ends
 * only its thread. One file at a time.
 * @throws Problem as readStatement, or `statement-unreadable` when memory or time run out
 */
export function statementReader(
  bounds = { heapMb: MAX_HEAP_MB, withinMs: READ_WITHIN_MS },
): (bytes: Uint8Array, options: ReadOptions) => Promise<Reading> {
  let last: Promise<unknown> = Promise.resolve();
  return (bytes, options) => {
    const next = last.then(() => read(bytes, options, bounds));
    last = next.catch(() => undefined);
    return next;
  };
}

async function read(
  bytes: Uint8Array,
  options: ReadOptions,
  { heapMb, withinMs }: { heapMb: number; withinMs: number },
): Promise<Reading> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { bytes, options },
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
  return answer.reading;
}
