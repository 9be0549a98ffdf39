import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** Lets every other process go first, as far as the system knows of priorities. Threads made afterwards inherit it. */
export function lowerPriority(priority: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  // Linux holds a priority for each thread.
  for (const thread of threads()) {
    // Who is modest already stays so: nobody but root may take modesty back.
    if (getPriority(thread) < priority) setPriority(thread, priority);
  }
}

function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [process.pid];
  }
}
