import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { POLL_MS } from '@arboleda/media/pictures/making.ts';
import { familyCpuSeconds } from '../../reliability/soak/samples.ts';
import { waitFor } from '../../harness/wait.ts';
import { outputOf, start } from '../peers/processes.ts';
import type { PhotoStand, Started } from './stand.ts';

const SHARP = fileURLToPath(new URL('sharp-peer.ts', import.meta.url));
/** MEDIA_CONCURRENCY as it is when nobody sets it. */
export const PER_REPLICA = 2;
const MANY_MS = 300_000;
const LOOK_EVERY_MS = 10;

/** Time to make the JPEGs of some photos. */
export interface Made {
  photosPerSecond: number;
  cpuMsPerPhoto: number;
}

/** Photos that wait are made by replicas that sleep until all of them wait. */
export async function makeByReplicas(
  { store, accept }: PhotoStand,
  replicas: readonly Started[],
  photos: readonly Uint8Array[],
): Promise<Made> {
  // Finish the work of the round before.
  await waitFor('newer formats', async () => (await store.count('modern')) === 0, MANY_MS);
  const signal = (name: NodeJS.Signals) => replicas.forEach(({ pid }) => process.kill(pid, name));
  const used = () => replicas.reduce((sum, { pid }) => sum + familyCpuSeconds(pid), 0);
  signal('SIGSTOP');
  try {
    const stoppedAt = performance.now();
    for (const photo of photos) await accept(photo);
    // The next look of each replica is overdue, and comes as soon as it goes on.
    await sleep(Math.max(0, stoppedAt + POLL_MS - performance.now()));
  } finally {
    signal('SIGCONT');
  }
  const [startedAt, usedBefore] = [performance.now(), used()];
  while ((await store.count('jpeg')) > 0) await sleep(LOOK_EVERY_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  return made(photos.length, seconds, used() - usedBefore);
}

/** The same sizes of the same files by sharp alone, from a folder into a folder. */
export async function makeBySharp(photos: readonly Uint8Array[], atOnce: number): Promise<Made> {
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-sharp-'));
  try {
    for (const [index, photo] of photos.entries()) await writeFile(join(folder, `${index}.jpg`), photo);
    const output = await outputOf(start({ args: [SHARP, folder, String(atOnce)] }, 'pipe'));
    const { seconds, cpuSeconds } = JSON.parse(output) as { seconds: number; cpuSeconds: number };
    return made(photos.length, seconds, cpuSeconds);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const made = (photos: number, seconds: number, cpuSeconds: number): Made => ({
  photosPerSecond: photos / seconds,
  cpuMsPerPhoto: (cpuSeconds / photos) * 1000,
});
