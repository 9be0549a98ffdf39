import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Command line of a process; empty when it is gone. */
export function commandOf(pid: number): string {
  return ask(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '), pid, 'command=');
}

/** Start time of a process, which distinguishes it from a later one with the same id. Empty when it is gone. */
export function startOf(pid: number): string {
  const fromProc = () => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22; the second field, in parentheses, may contain spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  };
  return ask(fromProc, pid, 'lstart=');
}

function ask(fromProc: () => string, pid: number, column: string): string {
  try {
    if (process.platform === 'linux') return fromProc();
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** Resolves when a process is gone. @returns false when it still exists after `timeoutMs` */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const until = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(20);
  }
  return true;
}
