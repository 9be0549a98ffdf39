import { once } from 'node:events';
import { exitAfterFlush } from '../leave.ts';
import { openReader } from './format.ts';

/*
 * A process that "npm run backup" or "npm run restore" runs in a container and tells by lines when to do what. Each line is
 * answered by a line; after the last one it sends or takes a stream.
 */

export const input = openReader(process.stdin);

/** Sends lines or bytes no faster than they are read. */
export async function out(parts: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const part of parts) {
    if (!process.stdout.write(typeof part === 'string' ? `${part}\n` : part))
      await once(process.stdout, 'drain');
  }
}

/** Does what the lines ask for, until the one that is `last`. A step that fails may be asked for again. */
export async function obey(steps: Record<string, () => Promise<void>>, last: string): Promise<void> {
  for (;;) {
    const asked = await input.line();
    if (asked === undefined) throw new Error('nobody asks any more');
    if (asked === last) return;
    const answer = await steps[asked]!().then(
      () => ({}),
      (error: Error) => ({ fault: error.message }),
    );
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

/** Ends the process; an error is its last line. */
export async function runTold(work: () => Promise<void>): Promise<void> {
  try {
    await work();
    await exitAfterFlush(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    await exitAfterFlush(1);
  }
}
