import { type as osType, cpus, release, totalmem } from 'node:os';

/** Describes the machine. Figures mean nothing without it. */
export function machine(): string {
  const processors = cpus();
  const memoryGib = (totalmem() / 1024 ** 3).toFixed(0);
  return `${processors.length} × ${processors[0]?.model.trim()}, ${memoryGib} GiB, ${osType()} ${release()}, Node ${process.version}`;
}
