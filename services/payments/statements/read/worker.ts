import { Problem } from '@arboleda/contracts/problems.ts';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadOptions } from './movement.ts';
import { readStatement } from './read.ts';

const { bytes, options } = workerData as { bytes: Uint8Array; options: ReadOptions };
const answer = await readStatement(bytes, options).then(
  (reading) => ({ reading }),
  (error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return { problem: { type: error.type, fields: error.fields } };
  },
);
parentPort!.postMessage(answer);
