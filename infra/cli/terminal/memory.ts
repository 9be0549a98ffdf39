import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface ProcessRow {
  pid: number;
  parent: number;
  residentKib: number;
}

/**
 * Resident memory of a process and its children, in MB. On Linux shared pages are counted proportionally (PSS);
 * elsewhere resident sizes are summed. undefined when neither is available.
 */
export function residentMb(pid: number): number | undefined {
  try {
    const rows = processes();
    const family = new Set([pid]);
    for (let grew = true; grew;) {
      grew = false;
      for (const row of rows) {
        if (family.has(row.parent) && !family.has(row.pid)) grew = Boolean(family.add(row.pid));
      }
    }
    const kib = rows
      .filter((row) => family.has(row.pid))
      .reduce((sum, row) => sum + (proportionalKib(row.pid) ?? row.residentKib), 0);
    return Math.round(kib / 1024);
  } catch {
    return undefined;
  }
}

const processes = (): ProcessRow[] =>
  execFileSync('ps', ['-e', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid = 0, parent = 0, residentKib = 0]) => ({ pid, parent, residentKib }));

function proportionalKib(pid: number): number | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const match = /^Pss:\s+(\d+) kB/m.exec(rollup);
    return match ? Number(match[1]) : undefined;
  } catch {
    return undefined;
  }
}
