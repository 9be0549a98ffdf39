import { type Logger, openLogger } from '@arboleda/chassis/log.ts';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { createStream } from 'rotating-file-stream';

/** Rotated files besides the current one; `.1` is the newest. */
const KEPT_FILES = 2;

/**
 * Logs all services to a file that only its owner can read; the terminal is for people.
 * @param size at which the file rotates, for example "20M"
 */
export async function openLog(
  file: string,
  level: string,
  size = '20M',
): Promise<{ logger: Logger; close(): Promise<void> }> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const stream = createStream(basename(file), {
    path: dirname(file),
    mode: 0o600,
    size,
    rotate: KEPT_FILES,
    initialRotation: true,
  });
  // A full disk only loses log lines.
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
