import { pictureProcesses } from '../../harness/proc.ts';
import { readFileSync, writeFileSync } from 'node:fs';

const kib = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/**
 * Resident memory of a product with that of the making of its pictures, MB, and the most it had since the last look; undefined
 * where Linux does not tell.
 */
export function openMemory(pid: number): { look(): { nowMb: number; peakMb: number } } | undefined {
  const processes = () => [pid, ...pictureProcesses(pid)];
  // 5 forgets the peak: proc_pid_clear_refs(5).
  const forget = () => processes().forEach((one) => writeFileSync(`/proc/${one}/clear_refs`, '5'));
  const mb = (name: string) => processes().reduce((sum, one) => sum + kib(one, name), 0) / 1024;
  try {
    forget();
    return {
      look() {
        const seen = { nowMb: mb('VmRSS'), peakMb: mb('VmHWM') };
        forget();
        return seen;
      },
    };
  } catch {
    return undefined;
  }
}
