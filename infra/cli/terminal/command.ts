import { ConfigError } from '@arboleda/chassis/config.ts';
import { exitAfterFlush } from '@arboleda/chassis/leave.ts';
import { MigrationFault } from '@arboleda/chassis/migration-fault.ts';
import { PostgresFault } from '@arboleda/postgres/fault.ts';
import { existsSync } from 'node:fs';

/** An error that the operator can fix; its message is a whole sentence. */
export class Fault extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'Fault';
  }
}

/** Errors whose message is a whole sentence. */
const SENTENCES = [Fault, PostgresFault, ConfigError, MigrationFault];

/** A sentence for a known error; undefined when only its stack helps. */
export function sentenceOf(error: unknown): string | undefined {
  if (SENTENCES.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, path, port } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  switch (code) {
    case 'EADDRINUSE':
      return portInUse(port ?? 0);
    case 'ENOSPC':
      return `The disk is full${path ? `: ${path} could not be written` : ''}.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path && `${path} may not be written by this user. Choose another folder: DATA_DIR=… npm start`;
    default:
      return undefined;
  }
}

export const portInUse = (port: number): string =>
  `Port ${port} is in use. Stop what uses it, or choose another one: PORT=${port + 1} npm start`;

/** Reads the settings of the folder in which a command is called. */
export function loadSettings(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/**
 * Runs a command that ends by itself. Errors are printed as one sentence.
 * @param run returns the exit code
 */
export async function runCommand(run: () => number | Promise<number>): Promise<void> {
  loadSettings();
  try {
    process.exitCode = await run();
  } catch (error) {
    report(error);
    process.exitCode = 1;
  }
}

/** Reads arguments. @throws Fault with the usage, by default the message of `read` */
export function orUsage<T>(read: () => T, usage?: string): T {
  try {
    return read();
  } catch (error) {
    throw new Fault((usage ?? (error as Error).message).trimEnd());
  }
}

export type Fail = (error: unknown) => void;

const STOP_WITHIN_MS = 20_000;

/**
 * Runs a command until Ctrl-C, a signal, or the end of its parent process. Errors are printed as one sentence.
 * @param start receives a function that reports a fatal error
 */
export async function live(
  start: (fail: Fail) => Promise<{ close(): Promise<void> }>,
  options: { quiet?: boolean } = {},
): Promise<void> {
  let stopping = false;
  const fail: Fail = (error) => {
    report(error);
    void stop(1);
  };
  const stop = async (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    if (!options.quiet) process.stdout.write('\nStopping …\n');
    const started = await running.catch(() => undefined);
    await started?.close().catch((error: unknown) => {
      report(error);
      return exitAfterFlush(1);
    });
    await exitAfterFlush(exitCode);
  };
  const running = start(fail);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  process.on('disconnect', () => void stop(0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, fail);
  }
  try {
    await running;
  } catch (error) {
    if (stopping) return;
    report(error);
    await exitAfterFlush(1);
  }
}

const report = (error: unknown): void =>
  void process.stderr.write(`${sentenceOf(error) ?? (error as Error | undefined)?.stack ?? String(error)}\n`);
