import { type Logger, openLogger } from '@arboleda/chassis/log.ts';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const KEEP_BYTES = 20_000_000;

/** The log of all services in a file: the terminal is for people. The one before is kept as `.1`. */
export async function openLog(
  file: string,
  level: string,
): Promise<{ logger: Logger; close(): Promise<void> }> {
  await mkdir(dirname(file), { recursive: true });
  if (existsSync(file) && (await stat(file)).size > KEEP_BYTES) await rename(file, `${file}.1`);
  const stream = createWriteStream(file, { flags: 'a' });
  return {
    logger: openLogger(undefined, level, stream),
    async close() {
      const closed = once(stream, 'close');
      stream.end();
      await closed;
    },
  };
}
