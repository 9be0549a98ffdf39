import { readFileSync, writeFileSync } from 'node:fs';

const kib = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Resident memory of one process, MB, and the most it had since the last look; undefined where Linux does not tell. */
export function openMemory(pid: number): { look(): { nowMb: number; peakMb: number } } | undefined {
  try {
    // 5 forgets the peak: proc_pid_clear_refs(5).
    const forget = () => writeFileSync(`/proc/${pid}/clear_refs`, '5');
    forget();
    return {
      look() {
        const seen = { nowMb: kib(pid, 'VmRSS') / 1024, peakMb: kib(pid, 'VmHWM') / 1024 };
        forget();
        return seen;
      },
    };
  } catch {
    return undefined;
  }
}
