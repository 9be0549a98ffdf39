import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** Lets every other process go first, as far as the system knows of priorities. Threads made afterwards inherit it. */
export function lowerPriority(priority: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  // Linux holds a priority for each thread.
  for (const thread of threads()) setPriority(thread, priority);
}

function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [process.pid];
  }
}
