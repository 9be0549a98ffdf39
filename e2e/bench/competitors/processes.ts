import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const OWN_NODE = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));

/** The core of what is measured, and that of everything that serves the measuring. */
export const CORES = { measured: 0, others: 1 } as const;
export type Core = (typeof CORES)[keyof typeof CORES];

/** Whether processes can be kept on one core here. */
export const canPin = ((): boolean => {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

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
