import { readdirSync, readFileSync } from 'node:fs';

/** Memory by kind of process, MB. */
export type Held = Readonly<Record<'services, gateway and web' | 'PostgreSQL' | 'pictures', number>>;

const KIB_PER_MB = 1000 / 1.024;

/**
 * Memory of a process and all that it started. Pages that several share count in parts (proportional set size), so that the sum
 * is what is taken: https://man7.org/linux/man-pages/man5/proc_pid_smaps.5.html. Not a number but on Linux.
 */
export function heldBy(pid: number): Held {
  const family = [...withChildren(pid)];
  const sum = (isOne: (command: string) => boolean) =>
    family
      .filter((one) => isOne(read(one, 'cmdline')))
      .reduce((total, one) => total + proportionalMb(one), 0);
  const isPictures = (command: string) => command.includes('pictures/process/main.ts');
  const isPostgres = (command: string) => /postgres/.test(command.split('\0')[0]!);
  return {
    'services, gateway and web': sum((command) => !isPictures(command) && !isPostgres(command)),
    PostgreSQL: sum(isPostgres),
    pictures: sum(isPictures),
  };
}

function* withChildren(pid: number): Generator<number> {
  yield pid;
  for (const thread of threadsOf(pid)) {
    const children = read(pid, `task/${thread}/children`).trim().split(' ').filter(Boolean);
    for (const child of children) yield* withChildren(Number(child));
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Nothing is held by a process that has just ended. */
const UNREAD = process.platform === 'linux' ? 0 : Number.NaN;

const proportionalMb = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? UNREAD) / KIB_PER_MB;

/** Empty of a process that has just ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
