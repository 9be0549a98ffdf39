import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pictureProcesses } from '../../harness/picture-process.ts';
import type { World } from './world.ts';

/** Resources of the product at one moment. */
export interface Sample {
  residentMb: number;
  /** Memory of the picture process, which ends when it has no work. */
  picturesMb: number;
  /** After everything that nobody uses was collected. */
  heapMb: number;
  handles: number;
  connections: number;
}

const MB = 1e6;
const KIB = 1024;

/** Only Linux tells; elsewhere such a figure is not a number, and is not judged. */
const told = (read: () => number): number => (existsSync('/proc/self/stat') ? read() : Number.NaN);

/** Resident memory, bytes; 0 of a process that has just ended. */
function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * KIB;
  } catch {
    return 0;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

const TICKS_PER_SECOND = 100;

/** Processor time in seconds, including ended children. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export const cpuSeconds = (pid: number): number => told(() => readCpuSeconds(pid));

function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return sum(fields.slice(11, 15).map(Number)) / TICKS_PER_SECOND;
}

/** Processor time of a process and its living children. */
export const familyCpuSeconds = (pid: number): number =>
  told(() => sum([pid, ...childrenOf(pid)].map(cpuSecondsLeft)));

/** Processor time of a product's picture processes. */
export const picturesCpuSeconds = (productPid: number): number =>
  told(() => sum(pictureProcesses(productPid).map(cpuSecondsLeft)));

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

function cpuSecondsLeft(pid: number): number {
  try {
    return readCpuSeconds(pid);
  } catch {
    return 0; // It has just ended; its parent counts it.
  }
}

async function take({ product, rows }: World): Promise<Sample> {
  const [found] = await rows<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where application_name like 'arboleda%'`,
  );
  return {
    residentMb: told(() => residentOf(product.pid)) / MB,
    picturesMb: told(() => sum(pictureProcesses(product.pid).map(residentOf))) / MB,
    heapMb: (await product.heapBytes()) / MB,
    handles: told(() => readdirSync(`/proc/${product.pid}/fd`).length),
    connections: found!.n,
  };
}

/** Looks at the product now and then until told to stop. */
export function watch(world: World, everyMs: number): { stop(): Promise<Sample[]> } {
  const over = new AbortController();
  const looking = (async () => {
    const samples: Sample[] = [];
    while (!over.signal.aborted) {
      samples.push(await take(world));
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
    return samples;
  })();
  // Told by stop().
  looking.catch(() => undefined);
  return {
    stop() {
      over.abort();
      return looking;
    },
  };
}
