import { LARGEST_PHOTO_WIDTH } from '@arboleda/contracts/photo.ts';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { familyCpuMs } from '../../harness/proc.ts';
import { waitFor } from '../../harness/wait.ts';
import type { Table } from '../../report/table.ts';
import type { Figures } from '../bench.ts';
import { startFileNginx } from '../competitors/install.ts';
import { inRounds, median, pointOf, withSpread } from '../figures.ts';
import { openMediaSetup } from '../photos/media.ts';
import { takePhoto } from '../photos/sending.ts';
import { canPin, CORES, outputOf, start } from '../processes.ts';

const PROGRAM = fileURLToPath(new URL('readers.ts', import.meta.url));

/** A client that reads one file again and again. */
export interface Reading {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Expected status. */
  status: number;
  connections: number;
  seconds: number;
}

/** Result of one round. */
export interface Read {
  /** Those of the status that was wanted. */
  answers: number;
  perSecond: number;
  p99Ms: number;
  failures: number;
}

/** Reads in a process of its own, beside what is not measured. @throws when a connection breaks */
export async function read(reading: Reading): Promise<Read> {
  const readers = start({ args: [PROGRAM, JSON.stringify(reading)], core: CORES.others }, 'pipe');
  return JSON.parse(await outputOf(readers)) as Read;
}

/** A request for a file. */
export interface Served {
  name: string;
  path: string;
}

/** A server of the same photo and the same script. */
export interface Competitor {
  name: string;
  url: string;
  /** Its processes, for what they use of the processor. */
  pids: readonly number[];
  photo: Served;
  script: Served;
}

const ASSETS = fileURLToPath(new URL('../../../web/dist/client/assets', import.meta.url));

/** The gateway and media on one core, nginx on the same with copies of the files. */
async function openCompetitors(closing: AsyncDisposableStack): Promise<Competitor[]> {
  const setup = closing.use(await openMediaSetup());
  const media = closing.use(await setup.startMedia(CORES.measured));
  const gateway = closing.use(await setup.startGateway(media.url, CORES.measured));
  const { _id, filename } = await setup.accept(await takePhoto(1));
  const done = async () => (await setup.store.get(_id))?.hasModern === true;
  await waitFor('the pictures of a photo', done, 120_000);
  const photoPath = `/api/photos/${filename}?w=${LARGEST_PHOTO_WIDTH}`;
  const photo = Buffer.from(await (await fetch(`${gateway.url}${photoPath}`)).arrayBuffer());
  const script = await largestScript();

  const folder = await mkdtemp(join(tmpdir(), 'arboleda-served-'));
  closing.defer(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'photo.jpg'), photo);
  await copyFile(join(ASSETS, script), join(folder, 'script.js'));
  const scriptBytes = (await readFile(join(ASSETS, script))).length;
  const competitor = (
    name: string,
    url: string,
    pids: readonly number[],
    paths: { photo: string; script: string },
  ): Competitor => ({
    name,
    url,
    pids,
    photo: { name: `photo of ${LARGEST_PHOTO_WIDTH} px, ${kb(photo.length)}`, path: paths.photo },
    script: { name: `script of the web app, ${kb(scriptBytes)}`, path: paths.script },
  });
  const ours = competitor('Arboleda', gateway.url, [gateway.pid, media.pid], {
    photo: photoPath,
    script: `/assets/${script}`,
  });
  const nginx = await startFileNginx(folder);
  if (!nginx) return [ours];
  closing.use(nginx);
  const files = { photo: '/photo.jpg', script: '/script.js' };
  return [ours, competitor('nginx', nginx.url, [nginx.pid], files)];
}

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

async function largestScript(): Promise<string> {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(names.map(async (name) => (await readFile(join(ASSETS, name))).length));
  return names[sizes.indexOf(Math.max(...sizes))]!;
}

const CONNECTIONS = 32;
/** Some 20,000 photos: what serves the first ones is still being compiled. */
const WARM_UP_SECONDS = 6;
/** The first part of a picture, as it is asked for when a download goes on. */
const RANGE = 'bytes=0-65535';

/** One way to ask for a file. */
interface Asked {
  name: string;
  what: (competitor: Competitor) => Served;
  status: number;
  headers(etag: string): Record<string, string>;
}

const WAYS: readonly Asked[] = [
  { name: 'photo', what: ({ photo }) => photo, status: 200, headers: () => ({}) },
  {
    name: 'photo, 304',
    what: ({ photo }) => photo,
    status: 304,
    headers: (etag) => ({ 'if-none-match': etag }),
  },
  { name: 'photo, 206', what: ({ photo }) => photo, status: 206, headers: () => ({ range: RANGE }) },
  { name: 'script', what: ({ script }) => script, status: 200, headers: () => ({}) },
  {
    name: 'script, 304',
    what: ({ script }) => script,
    status: 304,
    headers: (etag) => ({ 'if-none-match': etag }),
  },
];

type Asking = Omit<Reading, 'seconds'>;

/** A round, and processor time for one answer, over all processes of a competitor. */
interface Measured extends Read {
  cpuUs: number;
}

/** Photos and files of the web app, whole, unchanged and in part, beside nginx with the same files. */
export async function serve({ quick }: { quick: boolean }): Promise<Figures> {
  const [rounds, seconds, warmUpSeconds] = quick ? [1, 1, 1] : [5, 3, WARM_UP_SECONDS];
  const ways = quick ? WAYS.slice(0, 3) : WAYS;
  await using closing = new AsyncDisposableStack();
  const competitors = await openCompetitors(closing);
  const measured = new Map<Asked, Map<Competitor, Measured[]>>();
  for (const way of ways) {
    const asked = new Map<Competitor, Asking>();
    for (const one of competitors) asked.set(one, await askingOf(way, one));
    for (const one of competitors) await read({ ...asked.get(one)!, seconds: warmUpSeconds });
    const measure = async (one: Competitor): Promise<Measured> => {
      const before = cpuMs(one);
      const found = await read({ ...asked.get(one)!, seconds });
      return { ...found, cpuUs: ((cpuMs(one) - before) * 1000) / found.answers };
    };
    measured.set(way, await inRounds(rounds, competitors, measure));
  }
  const { photo, script } = competitors[0]!;
  const cores = canPin
    ? 'The gateway and media share one core, as nginx with one worker does; the generator and PostgreSQL have the other'
    : 'Nothing is kept on a core of its own here';
  return {
    bench: 'serve',
    work:
      `A ${photo.name}, and a ${script.name}; unchanged ones answered 304, and the first 64 KiB answered 206. ` +
      `${CONNECTIONS} connections, ${rounds} rounds of ${seconds} s, in turn. ${cores}: where it is the generator that ` +
      'limits, the time of the processor for an answer says more.' +
      (competitors.length > 1 ? '' : ' No nginx is installed.'),
    tables: [...measured].map(([way, seen]) => tableOf(way, competitors, seen)),
    plot: {
      kind: 'bars',
      unit: 'answers a second',
      series: competitors.map((one) => ({
        name: one.name,
        points: [...measured].map(([way, seen]) => pointOf(way.name, each(seen.get(one)!, 'perSecond'))),
      })),
    },
  };
}

const each = (rounds: readonly Measured[], figure: keyof Measured): number[] =>
  rounds.map((round) => round[figure]);

const cpuMs = ({ pids }: Competitor): number => pids.reduce((sum, pid) => sum + familyCpuMs(pid), 0);

async function askingOf({ what, status, headers }: Asked, competitor: Competitor): Promise<Asking> {
  const url = `${competitor.url}${what(competitor).path}`;
  // Later requests ask for no encoding, and each encoding has its own tag.
  const found = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  await found.arrayBuffer();
  if (!found.ok) throw new Error(`${competitor.name} answers ${url} with ${found.status}`);
  return { url, status, headers: headers(found.headers.get('etag') ?? ''), connections: CONNECTIONS };
}

function tableOf(
  way: Asked,
  competitors: readonly Competitor[],
  seen: ReadonlyMap<Competitor, readonly Measured[]>,
): Table {
  const ours = seen.get(competitors[0]!)!;
  const medianOf = (rounds: readonly Measured[], figure: keyof Measured) => median(each(rounds, figure));
  const times = (ratio: number) => `${ratio.toFixed(2)} ×`;
  return {
    title: way.name,
    columns: [
      'by',
      'a second',
      'Arboleda is',
      'processor, µs an answer',
      'Arboleda is, by it',
      'p99 ms',
      'failures',
    ],
    rows: competitors.map((one) => {
      const rounds = seen.get(one)!;
      return [
        one.name,
        withSpread(each(rounds, 'perSecond'), 0),
        times(medianOf(ours, 'perSecond') / medianOf(rounds, 'perSecond')),
        withSpread(each(rounds, 'cpuUs'), 0),
        times(medianOf(rounds, 'cpuUs') / medianOf(ours, 'cpuUs')),
        medianOf(rounds, 'p99Ms'),
        each(rounds, 'failures').reduce((sum, one) => sum + one, 0),
      ];
    }),
  };
}
