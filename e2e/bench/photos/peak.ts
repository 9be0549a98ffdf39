import { readFileSync } from 'node:fs';
import { pictureProcesses } from '../../harness/picture-process.ts';

const KIB_PER_MB = 1000 / 1.024;

/** The most that a process ever held, MB: https://man7.org/linux/man-pages/man5/proc_pid_status.5.html. NaN where nobody tells. */
export function peakMb(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN;
  try {
    const kib = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib ?? Number.NaN) / KIB_PER_MB;
  } catch {
    return Number.NaN;
  }
}

/** Peak memory of a service's picture process, MB. */
export const picturesPeakMb = (pid: number): number => peakMb(pictureProcesses(pid)[0]);
