import { Problem } from '@arboleda/contracts/problems.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { rowsOf } from '../credit.ts';
import { factsOf } from './facts.ts';
import { readStatement } from './read.ts';
import type { Answer, FileToRead } from './reader.ts';

const { bytes, ...options } = workerData as FileToRead;
const answer: Answer = await readStatement(bytes, options).then(
  (reading) => {
    const { credits, debits } = rowsOf(options.account, reading.movements, options.currency);
    return {
      file: {
        facts: factsOf(reading),
        credits: JSON.stringify(credits),
        debits: JSON.stringify(debits),
      },
    };
  },
  (error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return { problem: { type: error.type, fields: error.fields } };
  },
);
parentPort!.postMessage(answer);
