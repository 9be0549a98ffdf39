import { fileURLToPath } from 'node:url';
import { CORES, outputOf, start } from '../peers/processes.ts';

const PROGRAM = fileURLToPath(new URL('readers.ts', import.meta.url));

/** A client that reads one file again and again. */
export interface Reading {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Expected status. */
  status: number;
  connections: number;
  seconds: number;
}

/** Result of one round. */
export interface Read {
  /** Those of the status that was wanted. */
  answers: number;
  perSecond: number;
  p99Ms: number;
  failures: number;
}

/** Reads in a process of its own, beside what is not measured. @throws when a connection breaks */
export async function read(reading: Reading): Promise<Read> {
  const readers = start({ args: [PROGRAM, JSON.stringify(reading)], core: CORES.others }, 'pipe');
  return JSON.parse(await outputOf(readers)) as Read;
}
