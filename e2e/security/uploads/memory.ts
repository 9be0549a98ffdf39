import { memoryMb, pictureProcesses } from '../../harness/proc.ts';
import { writeFileSync } from 'node:fs';

/**
 * Resident memory of a product with that of the making of its pictures, MB, and the most it had since the last look; undefined
 * where Linux does not say.
 */
export function openMemory(pid: number): { look(): { nowMb: number; peakMb: number } } | undefined {
  const processes = () => [pid, ...pictureProcesses(pid)];
  // 5 forgets the peak: proc_pid_clear_refs(5).
  const forget = () => processes().forEach((one) => writeFileSync(`/proc/${one}/clear_refs`, '5'));
  const sum = (kind: 'VmRSS' | 'VmHWM') => processes().reduce((mb, one) => mb + memoryMb(one, kind), 0);
  try {
    forget();
    return {
      look() {
        const seen = { nowMb: sum('VmRSS'), peakMb: sum('VmHWM') };
        forget();
        return seen;
      },
    };
  } catch {
    return undefined;
  }
}
