import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** State letters of processes that have ended: Z until the parent reaps it, X and x while the kernel removes it. */
const ENDED = /^[ZXx]/;

/**
 * Whether a process with this id runs, whoever owns it. One that has ended keeps its id until its parent reaps it,
 * which in a container without an init is never.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !ENDED.test(ask(() => statOf(pid)[0]!, pid, 'stat='));
}

/** Command line of a process; empty when it is gone. */
export function commandOf(pid: number): string {
  return ask(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '), pid, 'command=');
}

/** Start time of a process, which distinguishes it from a later one with the same id. Empty when it is gone. */
export function startOf(pid: number): string {
  // Ticks since the boot: after another boot the same number could belong to another process.
  const fromProc = () =>
    `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${statOf(pid)[19]}`;
  return ask(fromProc, pid, 'lstart=');
}

/** Fields of /proc/<pid>/stat from the third on; the second, in parentheses, may contain spaces. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function ask(fromProc: () => string, pid: number, column: string): string {
  try {
    if (process.platform === 'linux') return fromProc();
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** Resolves when a process has ended. @returns false when it still runs after `timeoutMs` */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const until = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(20);
  }
  return true;
}
