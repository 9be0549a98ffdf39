import { POLL_MS } from '@arboleda/media/pictures/making.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { familyCpuMs, memoryMb, pictureProcesses } from '../../harness/proc.ts';
import { waitFor } from '../../harness/wait.ts';
import { withComment } from '../../driver/pictures.ts';
import type { Table } from '../../report/table.ts';
import { outputOf, type Server, start } from '../processes.ts';
import { type Figures, percentile, ratio, withSpread } from '../figures.ts';
import { openMediaSetup, type MediaSetup } from './media.ts';
import { type Acceptance, PER_SECOND, sendPhotos, takePhoto } from './sending.ts';

const SHARP = fileURLToPath(new URL('sharp-alone.ts', import.meta.url));
/** MEDIA_CONCURRENCY as it is when nobody sets it. */
const PER_REPLICA = 2;
const MANY_MS = 300_000;
const LOOK_EVERY_MS = 10;

/** Time to make the JPEGs of some photos. */
export interface Made {
  photosPerSecond: number;
  cpuMsPerPhoto: number;
}

/** Photos that wait are made by replicas that sleep until all of them wait. */
async function makeByReplicas(
  { store, accept }: MediaSetup,
  replicas: readonly Server[],
  photos: readonly Uint8Array[],
): Promise<Made> {
  // Finish the work of the round before.
  await waitFor('newer formats', async () => (await store.count('modern')) === 0, MANY_MS);
  const signal = (name: NodeJS.Signals) => replicas.forEach(({ pid }) => process.kill(pid, name));
  const usedSeconds = () => replicas.reduce((sum, { pid }) => sum + familyCpuMs(pid), 0) / 1000;
  signal('SIGSTOP');
  try {
    const stoppedAt = performance.now();
    for (const photo of photos) await accept(photo);
    // The next look of each replica is overdue, and comes as soon as it goes on.
    await sleep(Math.max(0, stoppedAt + POLL_MS - performance.now()));
  } finally {
    signal('SIGCONT');
  }
  const [startedAt, usedBefore] = [performance.now(), usedSeconds()];
  while ((await store.count('jpeg')) > 0) await sleep(LOOK_EVERY_MS);
  const seconds = (performance.now() - startedAt) / 1000;
  return made(photos.length, seconds, usedSeconds() - usedBefore);
}

/** The same sizes of the same files by sharp alone, from a folder into a folder. */
async function makeBySharp(photos: readonly Uint8Array[], atOnce: number): Promise<Made> {
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

/** Results of so many replicas and of sharp alone, round by round. */
interface Compared {
  replicas: number;
  ours: Made[];
  sharps: Made[];
}

/** Photos of 12 MP made by 1 to 4 replicas of media beside sharp alone, and how soon one is accepted meanwhile. */
export async function photos({ quick }: { quick: boolean }): Promise<Figures> {
  const plan = quick
    ? { replicas: [1], rounds: 1, perRound: 4, files: 2, acceptSeconds: 1 }
    : { replicas: [1, 2, 3, 4], rounds: 5, perRound: 24, files: 8, acceptSeconds: 10 };
  const files: Buffer[] = [];
  for (let seed = 1; seed <= plan.files; seed++) files.push(await takePhoto(seed));
  await using setup = await openMediaSetup();
  const compared: Compared[] = [];
  for (const replicas of plan.replicas) compared.push(await compare(setup, files, { ...plan, replicas }));
  const accepted = await accept(setup, files, plan);
  const weights = files.map(({ length }) => length / 1e6);
  return {
    bench: 'photos',
    work:
      `Photos of 12 MP, JPEGs of ${Math.min(...weights).toFixed(1)} to ${Math.max(...weights).toFixed(1)} MB with smooth ` +
      `shapes and light grain. ${plan.rounds} rounds of ${plan.perRound} photos that wait, ${PER_REPLICA} at a time for ` +
      'each replica, in turn with sharp alone making the same three sizes as many at a time; all on the same two cores. ' +
      'Media reads and stores durably, on one PostgreSQL and one folder; newer formats come after the JPEGs.',
    tables: [madeTable(compared), accepted],
  };
}

interface Plan {
  replicas: number;
  rounds: number;
  perRound: number;
}

async function compare(
  setup: MediaSetup,
  files: readonly Buffer[],
  { replicas, rounds, perRound }: Plan,
): Promise<Compared> {
  await using closing = new AsyncDisposableStack();
  const started: Server[] = [];
  for (let at = 0; at < replicas; at++) started.push(closing.use(await setup.startMedia()));
  let last = 0;
  // Another file each time: the same one would be the same photo.
  const some = (count: number) =>
    Array.from({ length: count }, () => withComment(files[last % files.length]!, `${replicas}-${last++}`));
  await makeByReplicas(setup, started, some(PER_REPLICA * replicas));
  const compared: Compared = { replicas, ours: [], sharps: [] };
  for (let round = 0; round < rounds; round++) {
    const photos = some(perRound);
    compared.ours.push(await makeByReplicas(setup, started, photos));
    compared.sharps.push(await makeBySharp(photos, PER_REPLICA * replicas));
  }
  return compared;
}

async function accept(
  setup: MediaSetup,
  files: readonly Buffer[],
  { rounds, acceptSeconds }: { rounds: number; acceptSeconds: number },
): Promise<Table> {
  await using media = await setup.startMedia();
  await using gateway = await setup.startGateway(media.url);
  const send = () => sendPhotos(gateway.url, setup.token, files, acceptSeconds * PER_SECOND);
  // A whole round: photos are taken in by a third less once the code that does it is compiled.
  await send();
  const seen: Acceptance[] = [];
  for (let round = 0; round < rounds; round++) seen.push(await send());
  const at = (share: number) => withSpread(seen.map(({ durationsMs }) => percentile(durationsMs, share)));
  return {
    title:
      `Accepted: sent whole through the gateway → answered, ${PER_SECOND} a second, ${rounds} rounds of ` +
      `${acceptSeconds} s, while the pictures of those before are made`,
    columns: ['p50 ms', 'p99 ms', 'most ms', 'failures', 'media at most, MB', 'its picture process, MB'],
    rows: [
      [
        at(0.5),
        at(0.99),
        at(1),
        seen.reduce((sum, { failures }) => sum + failures, 0),
        memoryMb(media.pid, 'VmHWM'),
        memoryMb(pictureProcesses(media.pid)[0] ?? 0, 'VmHWM'),
      ],
    ],
  };
}

const rates = (made: readonly Made[]): number[] => made.map(({ photosPerSecond }) => photosPerSecond);
const cpu = (made: readonly Made[]): number[] => made.map(({ cpuMsPerPhoto }) => cpuMsPerPhoto);

const madeTable = (compared: readonly Compared[]): Table => ({
  title: 'Made: from all waiting to all having their JPEGs',
  columns: [
    'replicas',
    'photos a second',
    'sharp alone',
    'ratio',
    'processor, ms a photo',
    'sharp alone, ms',
  ],
  rows: compared.map(({ replicas, ours, sharps }) => [
    replicas,
    withSpread(rates(ours), 2),
    withSpread(rates(sharps), 2),
    ratio(rates(ours), rates(sharps)),
    withSpread(cpu(ours), 0),
    withSpread(cpu(sharps), 0),
  ]),
});
