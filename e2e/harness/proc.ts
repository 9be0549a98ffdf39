import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Figures of processes from /proc; NaN where there is none. */
const hasProc = existsSync('/proc/self/stat');

/** USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MS = 10;
const KIB_PER_MB = 1000 / 1.024;

/** Empty for a process that has just ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Processor time of all threads, milliseconds. */
interface CpuTime {
  all: number;
  /** That of children which have ended. */
  ended: number;
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: utime, stime, cutime, cstime are fields 14 to 17. */
export function cpuTime(pid: number): CpuTime {
  const text = read(pid, 'stat');
  if (!text) return { all: Number.NaN, ended: Number.NaN };
  // The name, in brackets, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (field: number) => Number(fields[field - 3]) * TICK_MS;
  return { all: at(14) + at(15), ended: at(16) + at(17) };
}

/** Processor time of a process and of everything that it ever started, milliseconds. */
export function familyCpuMs(pid: number): number {
  if (!hasProc) return Number.NaN;
  // One that has just ended is counted by its parent.
  const times = family(pid)
    .map(cpuTime)
    .filter(({ all }) => !Number.isNaN(all));
  return times.reduce((sum, { all, ended }) => sum + all + ended, 0);
}

/** The process and its living descendants. */
export function family(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    read(pid, `task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(family)];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

export const commandOf = (pid: number): string => read(pid, 'cmdline');

/** The processes in which a product makes its pictures: none when it made none for a while. */
export const pictureProcesses = (productPid: number): number[] =>
  family(productPid).filter((pid) => commandOf(pid).includes('pictures/process/main.ts'));

/**
 * Memory in MB: resident now (VmRSS) or at most (VmHWM), or with shared pages counted in parts (Pss), so that a sum over
 * processes is what they take together. 0 for a process that has just ended.
 * https://man7.org/linux/man-pages/man5/proc_pid_status.5.html, proc_pid_smaps.5.html
 */
export function memoryMb(pid: number, kind: 'VmRSS' | 'VmHWM' | 'Pss'): number {
  if (!hasProc) return Number.NaN;
  const text = read(pid, kind === 'Pss' ? 'smaps_rollup' : 'status');
  const kib = new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  return Number(kib ?? 0) / KIB_PER_MB;
}

/** Open file descriptors. */
export const handlesOf = (pid: number): number =>
  hasProc ? readdirSync(`/proc/${pid}/fd`).length : Number.NaN;
