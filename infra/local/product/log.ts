import { type Logger, openLogger } from '@arboleda/chassis/log.ts';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { createStream } from 'rotating-file-stream';

/** Files before the one that is written: `.1` is the newest. */
const KEPT_FILES = 2;

/**
 * The log of all services in a file that nobody else on this machine reads: the terminal is for people.
 * @param size at which the next file begins, as "20M"
 */
export async function openLog(
  file: string,
  level: string,
  size = '20M',
): Promise<{ logger: Logger; close(): Promise<void> }> {
  await mkdir(dirname(file), { recursive: true });
  const stream = createStream(basename(file), {
    path: dirname(file),
    mode: 0o600,
    size,
    rotate: KEPT_FILES,
    initialRotation: true,
  });
  // A full disk costs lines of the log and nothing else.
  stream.on('error', () => undefined);
  return {
    logger: openLogger(undefined, level, stream),
    async close() {
      const closed = once(stream, 'close');
      stream.end();
      await closed;
    },
  };
}
