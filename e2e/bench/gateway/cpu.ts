import { readFileSync } from 'node:fs';

/** A tick of the kernel's count: USER_HZ is 100 on every Linux that Node runs on. */
const TICK_MICROSECONDS = 10_000;

/** Microseconds of a core. */
export interface CpuTime {
  all: number;
  /** Spent by the kernel for it. */
  kernel: number;
}

/**
 * What a process has used of its core until now, by all its threads. Who else is at work on the machine does not change
 * it. NaN where there is no /proc.
 */
export function cpuTime(pid: number): CpuTime {
  try {
    // The name in brackets may hold anything; then come the 3rd field and on: utime is the 14th, stime the 15th.
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    const [utime, stime] = fields.split(' ').slice(11, 13).map(Number);
    return { all: (utime! + stime!) * TICK_MICROSECONDS, kernel: stime! * TICK_MICROSECONDS };
  } catch {
    return { all: Number.NaN, kernel: Number.NaN };
  }
}
