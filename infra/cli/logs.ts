import type { Environment } from '@arboleda/chassis/environment.ts';
import { type Logger, openLogger } from '@arboleda/chassis/log.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createStream } from 'rotating-file-stream';
import { z } from 'zod';
import { dataDirPath } from './embedded/data-dir.ts';

/** A line of a service's log. Further fields are ids, kinds and counts. */
export const logLine = z.looseObject({
  time: z.iso.datetime(),
  level: z.string(),
  msg: z.string(),
  service: z.string().optional(),
  correlationId: z.string().optional(),
  orderId: z.string().optional(),
  method: z.string().optional(),
  route: z.string().optional(),
  status: z.number().optional(),
  durationMs: z.number().optional(),
  group: z.string().optional(),
  type: z.string().optional(),
  eventId: z.string().optional(),
  err: z.looseObject({ message: z.string() }).optional(),
});
export type LogLine = z.infer<typeof logLine>;

/** @returns undefined for what is not a line of ours, such as an engine's */
export function readLogLine(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return logLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const isTrouble = ({ level }: LogLine): boolean => ['warn', 'error', 'fatal'].includes(level);

const CURRENT = 'arboleda.log';
const LOOK_EVERY_MS = 250;

/** Paths of the logs of this folder's `npm start`, running or not; none when there was none. */
export function logFiles(env: Environment): string[] {
  const folder = join(dataDirPath(env), 'logs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.includes(CURRENT))
    .map((name) => join(folder, name));
}

const COMPOSE_LOGS = ['compose', 'logs', '--no-color', '--no-log-prefix'];

/** Log lines of all containers. @param args further arguments of `docker compose logs` */
export const logsOfContainers = (...args: string[]): NodeJS.ReadableStream =>
  spawn('docker', [...COMPOSE_LOGS, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout;

/** Lines logged from now on, by `npm start` in this folder or else by containers. Ends when the containers do. */
export function followLogs(env: Environment): AsyncGenerator<LogLine> {
  const current = logFiles(env).find((file) => file.endsWith(CURRENT));
  return current
    ? logLinesOf(appendedTo(current, statSync(current).size))
    : logLinesIn(logsOfContainers('--follow', '--tail', '0'));
}

export const logLinesIn = (input: NodeJS.ReadableStream): AsyncGenerator<LogLine> =>
  logLinesOf(createInterface({ input }));

async function* logLinesOf(texts: AsyncIterable<string>): AsyncGenerator<LogLine> {
  for await (const text of texts) {
    const line = readLogLine(text);
    if (line) yield line;
  }
}

/** Lines after a position in a file, and after the file was replaced by an empty one. */
async function* appendedTo(file: string, position: number): AsyncGenerator<string> {
  let unfinished = Buffer.alloc(0);
  for (;;) {
    const handle = await open(file).catch(() => undefined);
    if (handle) {
      const { size } = await handle.stat();
      if (size < position) position = 0;
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size - position), position });
      await handle.close();
      position += bytesRead;
      unfinished = Buffer.concat([unfinished, buffer.subarray(0, bytesRead)]);
      const end = unfinished.lastIndexOf('\n') + 1;
      if (end > 0) yield* unfinished.subarray(0, end).toString().trimEnd().split('\n');
      unfinished = unfinished.subarray(end);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

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
