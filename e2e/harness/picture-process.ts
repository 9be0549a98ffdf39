import { readFileSync } from 'node:fs';

const PROGRAM = 'pictures/process/main.ts';

/** The processes in which a product makes its pictures: none when it made none for a while. Linux only. */
export const pictureProcesses = (productPid: number): number[] =>
  threadChildren(productPid).filter((pid) => commandOf(pid).includes(PROGRAM));

const threadChildren = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);

const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`);

/** Empty of a process that has just ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
