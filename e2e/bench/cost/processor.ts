import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second, whatever the processor: see sysconf(_SC_CLK_TCK). */
const TICK_MS = 10;

interface Stat {
  parent: number;
  ownMs: number;
  /** Processor time of ended children. */
  endedMs: number;
}

/** Processor time of one process, milliseconds; NaN where there is no /proc. */
export const ownMs = (pid: number): number => read(pid)?.ownMs ?? Number.NaN;

/** The same of a process and of all that it ever started. */
export function familyMs(pid: number): number {
  const stats = new Map<number, Stat>();
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    const stat = /^\d+$/.test(name) ? read(Number(name)) : undefined;
    if (stat) stats.set(Number(name), stat);
  }
  const isOf = (one: number): boolean => one === pid || (stats.has(one) && isOf(stats.get(one)!.parent));
  const family = [...stats].filter(([one]) => isOf(one)).map(([, stat]) => stat.ownMs + stat.endedMs);
  return family.length === 0 ? Number.NaN : family.reduce((sum, ms) => sum + ms, 0);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: utime, stime, cutime, cstime are fields 14 to 17. */
function read(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (field: number) => Number(fields[field - 3]);
    return { parent: at(4), ownMs: TICK_MS * (at(14) + at(15)), endedMs: TICK_MS * (at(16) + at(17)) };
  } catch {
    return undefined;
  }
}
