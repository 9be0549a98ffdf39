import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { startPostgres } from '@arboleda/postgres/postgres.ts';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDataDir } from '../harness/product.ts';
import { waitFor } from '../harness/wait.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OWN_NODE = join(ROOT, 'node_modules/node/bin/node');

/** The core of what is measured, and that of everything that serves the measuring. */
export const CORES = { measured: 0, others: 1 } as const;
export type Core = (typeof CORES)[keyof typeof CORES];

/** Whether processes can be kept on one core here. */
const canPin = ((): boolean => {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Follows sentences about cores in reports. */
export const UNPINNED = canPin ? '' : ' (Nothing could be kept on a core of its own here.)';

interface Pinned {
  command?: string;
  args: readonly string[];
  /** Any when absent. */
  core?: Core;
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** Starts a process, pinned to one core where possible. Its output is discarded unless asked for. */
export function start(
  { command = OWN_NODE, args, core, env, cwd }: Pinned,
  output: 'ignore' | 'pipe' = 'ignore',
) {
  const isPinned = canPin && core !== undefined;
  const [program, ...before] = isPinned ? ['taskset', '-c', String(core), command] : [command];
  return spawn(program!, [...before, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', output, output === 'pipe' ? 'inherit' : 'ignore'],
  });
}

/** Ends it and waits. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** @returns its output after it ended. @throws when it failed */
export async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`);
  return text;
}

/** Not `availableParallelism`, which is 1 in a process that is kept on one core. */
const ALL_CORES = `0-${cpus().length - 1}`;

/** Keeps a running process with all its threads, and what it will start from now on, on one core; where that can be done. */
export function pin(pid: number, core: Core | 'any'): void {
  if (!canPin) return;
  const cores = core === 'any' ? ALL_CORES : String(core);
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}

export interface Server extends AsyncDisposable {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const START_WITHIN_MS = 120_000;

/** Starts a server on a free port, and waits until it answers. @throws when it ends before */
export async function startServer(
  name: string,
  path: string,
  program: (port: number, url: string) => Pinned,
): Promise<Server> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const child = start(program(port, url));
  const stop = () => end(child);
  try {
    await waitFor(
      name,
      async () => child.exitCode !== null || (await fetch(url + path).catch(() => undefined))?.ok,
      START_WITHIN_MS,
    );
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid!, stop, [Symbol.asyncDispose]: stop };
}

/** An empty PostgreSQL, whose folder is removed when it stops. */
export async function openPostgres() {
  const data = await openDataDir();
  const logFile = join(data.path, 'database.log');
  const postgres = await startPostgres({ dir: join(data.path, 'database'), logFile, password: 'arboleda' });
  const stop = async () => {
    await postgres.close();
    await data.remove();
  };
  return { url: postgres.url, pid: postgres.pid, folder: data.path, [Symbol.asyncDispose]: stop };
}
