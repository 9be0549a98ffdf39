import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where recorder.ts writes what it noted in a process. */
export const recordingOf = (pid: number): string => join(tmpdir(), `arboleda-cost-${pid}.json`);
