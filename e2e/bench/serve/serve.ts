import { LARGEST_PHOTO_WIDTH } from '@arboleda/contracts/photo.ts';
import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import type { Table } from '../../report/table.ts';
import type { Figures } from '../bench.ts';
import { startFileNginx } from '../competitors/install.ts';
import { compareUnderLoad, type Competitor, type Round } from '../load.ts';
import { openMediaSetup } from '../photos/media.ts';
import { takePhoto } from '../photos/sending.ts';
import { CORES, outputOf, start, UNPINNED } from '../processes.ts';

const PROGRAM = fileURLToPath(new URL('readers.ts', import.meta.url));
const ASSETS = fileURLToPath(new URL('../../../web/dist/client/assets', import.meta.url));
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

/** A server of the same photo and the same script, each at its path. */
interface FileServer extends Competitor {
  photo: string;
  script: string;
}

/** The gateway and media on one core, nginx on the same with copies of the files. */
async function openServers(closing: AsyncDisposableStack): Promise<{ servers: FileServer[]; files: string }> {
  const setup = closing.use(await openMediaSetup());
  const media = closing.use(await setup.startMedia(CORES.measured));
  const gateway = closing.use(await setup.startGateway(media.url, CORES.measured));
  const { _id, filename } = await setup.accept(await takePhoto(1));
  const done = async () => (await setup.store.get(_id))?.hasModern === true;
  await waitFor('the pictures of a photo', done, 120_000);
  const photo = `/api/photos/${filename}?w=${LARGEST_PHOTO_WIDTH}`;
  const photoBytes = await (await fetch(gateway.url + photo)).bytes();
  const script = await largestScript();
  const servers: FileServer[] = [
    {
      name: 'Arboleda',
      url: gateway.url,
      pids: [gateway.pid, media.pid],
      photo,
      script: `/assets/${script.name}`,
    },
  ];
  const folder = await mkdtemp(join(tmpdir(), 'arboleda-served-'));
  closing.defer(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'photo.jpg'), photoBytes);
  await copyFile(join(ASSETS, script.name), join(folder, 'script.js'));
  const nginx = await startFileNginx(folder);
  if (nginx) {
    const { url, pid } = closing.use(nginx);
    servers.push({ name: 'nginx', url, pids: [pid], photo: '/photo.jpg', script: '/script.js' });
  }
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
  return {
    servers,
    files: `A photo of ${LARGEST_PHOTO_WIDTH} px, ${kb(photoBytes.length)}, and a script of the web app, ${kb(script.size)}`,
  };
}

async function largestScript(): Promise<{ name: string; size: number }> {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const scripts = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(ASSETS, name))).size })),
  );
  return scripts.reduce((largest, one) => (one.size > largest.size ? one : largest));
}

/** One way to ask for a file. */
interface Way {
  file: 'photo' | 'script';
  status: number;
  headers?(etag: string): Record<string, string>;
}

const unchanged = (etag: string) => ({ 'if-none-match': etag });
const WAYS: readonly Way[] = [
  { file: 'photo', status: 200 },
  { file: 'photo', status: 304, headers: unchanged },
  // The first part of a picture, as it is asked for when a download goes on.
  { file: 'photo', status: 206, headers: () => ({ range: 'bytes=0-65535' }) },
  { file: 'script', status: 200 },
  { file: 'script', status: 304, headers: unchanged },
];

/** Photos and files of the web app, whole, unchanged and in part, beside nginx with the same files. */
export async function serve({ quick }: { quick: boolean }): Promise<Figures> {
  const [rounds, seconds, warmUpSeconds] = quick ? [1, 1, 1] : [5, 3, WARM_UP_SECONDS];
  await using closing = new AsyncDisposableStack();
  const { servers, files } = await openServers(closing);
  const tables: Table[] = [];
  for (const way of quick ? WAYS.slice(0, 3) : WAYS) {
    const readings = new Map<FileServer, Omit<Reading, 'seconds'>>();
    for (const server of servers) readings.set(server, await readingOf(way, server));
    const run = (server: FileServer, forSeconds: number) =>
      read({ ...readings.get(server)!, seconds: forSeconds });
    const load = { rounds, seconds, warmUpSeconds, run };
    tables.push(await compareUnderLoad(`${way.file}, ${way.status}`, servers, load));
  }
  return {
    bench: 'serve',
    work:
      `${files}; unchanged ones answered 304, and the first 64 KiB answered 206. ${CONNECTIONS} connections, ${rounds} rounds of ` +
      `${seconds} s, in turn. The gateway and media share one core, as nginx with one worker does; the generator and PostgreSQL have ` +
      `the other.${UNPINNED} Where it is the generator that limits, the time of the processor for an answer says more.`,
    tables,
  };
}

async function readingOf(
  { file, status, headers = () => ({}) }: Way,
  server: FileServer,
): Promise<Omit<Reading, 'seconds'>> {
  const url = `${server.url}${server[file]}`;
  // Later requests ask for no encoding, and each encoding has its own tag.
  const found = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  await found.arrayBuffer();
  if (!found.ok) throw new Error(`${server.name} answers ${url} with ${found.status}`);
  return { url, status, headers: headers(found.headers.get('etag') ?? ''), connections: CONNECTIONS };
}
