import { execFileSync } from 'node:child_process';
import { canPin, type Core } from '../peers/processes.ts';

/** Keeps a running process with all its threads, and what it will start from now on, on one core; where that can be done. */
export function pin(pid: number, core: Core | 'any'): void {
  if (!canPin) return;
  const cores = core === 'any' ? `0-${navigator.hardwareConcurrency - 1}` : String(core);
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)], { stdio: 'ignore' });
}
