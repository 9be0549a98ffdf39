import { LARGEST_PHOTO_WIDTH } from '@arboleda/contracts/photo.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import type { Table } from '../../report/table.ts';
import { startFileNginx } from '../competitors/install.ts';
import { compareUnderLoad, type Competitor, type Round } from '../load.ts';
import { openMediaSetup } from '../photos/media.ts';
import { takePhoto } from '../photos/sending.ts';
import { CORES, outputOf, start, UNPINNED } from '../processes.ts';
import type { Figures } from '../figures.ts';

const PROGRAM = fileURLToPath(new URL('readers.ts', import.meta.url));
const CONNECTIONS = 32;
/** Some 20,000 photos: what serves the first ones is still being compiled. */
const WARM_UP_SECONDS = 6;

/** A client that reads one file again and again. */
export interface Reading {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Expected status. */
  status: number;
  connections: number;
  seconds: number;
}

/** Reads in a process of its own, beside what is not measured. @throws when a connection breaks */
async function read(reading: Reading): Promise<Round> {
  const readers = start({ args: [PROGRAM, JSON.stringify(reading)], core: CORES.others }, 'pipe');
  return JSON.parse(await outputOf(readers)) as Round;
}

/** A server of the same photo. */
interface PhotoServer extends Competitor {
  path: string;
}

/** The gateway and media on one core, nginx on the same with a copy of the file. @returns them and the photo's size */
async function openServers(
  closing: AsyncDisposableStack,
): Promise<{ servers: PhotoServer[]; bytes: number }> {
  const setup = closing.use(await openMediaSetup());
  const media = closing.use(await setup.startMedia(CORES.measured));
  const gateway = closing.use(await setup.startGateway(media.url, CORES.measured));
  const { _id, filename } = await setup.accept(await takePhoto(1));
  const done = async () => (await setup.store.get(_id))?.hasModern === true;
  await waitFor('the pictures of a photo', done, 120_000);
  const path = `/api/photos/${filename}?w=${LARGEST_PHOTO_WIDTH}`;
  const photo = await (await fetch(gateway.url + path)).bytes();
  const servers = [{ name: 'Arboleda', url: gateway.url, pids: [gateway.pid, media.pid], path }];
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-served-'));
  closing.defer(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'photo.jpg'), photo);
  const nginx = await startFileNginx(folder);
  if (nginx) {
    const { url, pid } = closing.use(nginx);
    servers.push({ name: 'nginx', url, pids: [pid], path: '/photo.jpg' });
  }
  return { servers, bytes: photo.length };
}

/** One way to ask for a photo. */
interface Way {
  name: string;
  status: number;
  headers(etag: string): Record<string, string>;
}

const WAYS: readonly Way[] = [
  { name: 'whole', status: 200, headers: () => ({}) },
  { name: 'unchanged', status: 304, headers: (etag) => ({ 'if-none-match': etag }) },
  // The first part, as it is asked for when a download goes on.
  { name: 'in part', status: 206, headers: () => ({ range: 'bytes=0-65535' }) },
];

/** A photo, whole, unchanged and in part, beside nginx with the same file. */
export async function serve({ quick }: { quick: boolean }): Promise<Figures> {
  const [rounds, seconds, warmUpSeconds] = quick ? [1, 1, 1] : [5, 3, WARM_UP_SECONDS];
  await using closing = new AsyncDisposableStack();
  const { servers, bytes } = await openServers(closing);
  const tables: Table[] = [];
  for (const way of WAYS) {
    const readings = new Map<PhotoServer, Omit<Reading, 'seconds'>>();
    for (const server of servers) readings.set(server, await readingOf(way, server));
    const run = (server: PhotoServer, forSeconds: number) =>
      read({ ...readings.get(server)!, seconds: forSeconds });
    const load = { rounds, seconds, warmUpSeconds, run };
    tables.push(await compareUnderLoad(`photo, ${way.name}`, servers, load));
  }
  return {
    bench: 'serve',
    work:
      `A photo of ${LARGEST_PHOTO_WIDTH} px, ${(bytes / 1000).toFixed(0)} kB; unchanged answered 304, and its first 64 KiB answered ` +
      `206. ${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, in turn. The gateway and media share one core, as nginx with ` +
      `one worker does; the generator and PostgreSQL have the other.${UNPINNED} Where it is the generator that limits, the time of ` +
      'the processor for an answer says more.',
    tables,
  };
}

async function readingOf({ status, headers }: Way, server: PhotoServer): Promise<Omit<Reading, 'seconds'>> {
  const url = `${server.url}${server.path}`;
  // Later requests ask for no encoding, and each encoding has its own tag.
  const found = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  await found.arrayBuffer();
  if (!found.ok) throw new Error(`${server.name} answers ${url} with ${found.status}`);
  return { url, status, headers: headers(found.headers.get('etag') ?? ''), connections: CONNECTIONS };
}
