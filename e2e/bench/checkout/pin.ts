import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { canPin, type Core } from '../peers/processes.ts';

/** Not `availableParallelism`, which is 1 in a process that is kept on one core. */
const ALL_CORES = `0-${cpus().length - 1}`;

/** Keeps a running process with all its threads, and what it will start from now on, on one core; where that can be done. */
export function pin(pid: number, core: Core | 'any'): void {
  if (!canPin) return;
  const cores = core === 'any' ? ALL_CORES : String(core);
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}
