import { freePorts } from '@arboleda/postgres/free-ports.ts';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { imageNames } from '../../../infra/docker/image-sizes.ts';
import { openDriver } from '../../driver/driver.ts';
import { makeTirelessWorker, TIRELESS } from '../../harness/accounts.ts';
import { openDataDir, type Product } from '../../harness/product.ts';
import { commandOf, family, memoryMb } from '../../harness/proc.ts';
import { waitFor } from '../../harness/wait.ts';
import { noPromises, openWorkers } from '../../reliability/crash/people.ts';
import type { Table } from '../../report/table.ts';
import type { Figures, Point } from '../bench.ts';
import { pointOf, withSpread } from '../figures.ts';
import { takePhoto } from '../photos/sending.ts';
import { end, openProduct, ROOT, start } from '../processes.ts';

const START_WITHIN_MS = 120_000;

/**
 * `npm start` as it is typed, until the landing page and every service answer; then Ctrl-C. Everything is installed, and the web
 * app was built before.
 * @returns seconds
 */
async function startOnce(dataDir: string): Promise<number> {
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = start({
    args: ['infra/cli/bootstrap.js', 'start'],
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATA_DIR: dataDir },
  });
  try {
    const isUsable = async () => {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
      const answers = await Promise.all(
        ['/readyz', '/'].map((path) => fetch(`${url}${path}`).catch(() => undefined)),
      );
      for (const answer of answers) await answer?.arrayBuffer();
      return answers.every((answer) => answer?.ok);
    };
    await waitFor('a usable page', isUsable, START_WITHIN_MS);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await end(child);
  }
}

const BUYERS = 8;

/** Many buy at once, and a worker plants and sends photos of 12 MP of most of it. */
async function keepBusy(product: Product, orders: number): Promise<void> {
  await makeTirelessWorker(product);
  const driver = openDriver(product);
  const token = await driver.logIn('worker', TIRELESS, product.demoPassword);
  let left = orders;
  const buy = async () => {
    while (left-- > 0) await driver.buy('busy@bench.test');
  };
  const photo = await takePhoto(1);
  const workers = openWorkers({
    driver,
    tokens: { admin: '', customer: '', workers: [token] },
    customerEmail: '',
    files: { photo, evidence: photo },
    promises: noPromises(),
  });
  await Promise.all(Array.from({ length: BUYERS }, buy));
  await workers.finish();
}

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' });

/** The images of the product that docker has, with their sizes in MB; none where there is no docker. */
function imageSizes(): [name: string, sizeMb: number][] {
  try {
    const names = imageNames(docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', 'arboleda/*'));
    if (names.length === 0) return [];
    const bytes = docker('image', 'inspect', '--format', '{{.Size}}', ...names)
      .trim()
      .split('\n');
    return names.map((name, index) => [name, Number(bytes[index]) / 1e6]);
  } catch {
    return [];
  }
}

/** Memory by kind of process, MB. */
type Held = Readonly<Record<'services, gateway and web' | 'PostgreSQL' | 'pictures', number>>;

function heldBy(pid: number): Held {
  const sum = (isOne: (command: string) => boolean) =>
    family(pid)
      .filter((one) => isOne(commandOf(one)))
      .reduce((total, one) => total + memoryMb(one, 'Pss'), 0);
  const isPictures = (command: string) => command.includes('pictures/process/main.ts');
  const isPostgres = (command: string) => /postgres/.test(command.split('\0')[0]!);
  return {
    'services, gateway and web': sum((command) => !isPictures(command) && !isPostgres(command)),
    PostgreSQL: sum(isPostgres),
    pictures: sum(isPictures),
  };
}

/** By then, everything opened only for the start is closed. */
const IDLE_MS = 10_000;
const LOOK_EVERY_MS = 500;

/** `npm start` to a usable page, what each process of it holds, and how big the images are. */
export async function startBench({ quick }: { quick: boolean }): Promise<Figures> {
  const plan = quick ? { starts: 1, orders: 4, idleMs: 0 } : { starts: 5, orders: 300, idleMs: IDLE_MS };
  const data = await openDataDir();
  try {
    const first = await startOnce(data.path);
    const later: number[] = [];
    for (let at = 0; at < plan.starts; at++) later.push(await startOnce(data.path));
    const { idle, busy } = await measureMemory(plan);
    const images = imageSizes();
    return {
      bench: 'start',
      work:
        'The whole product in the embedded tier, installed and with its web app built, from `npm start` to the first answer of ' +
        `/ and of every service; ${plan.starts} starts on data that is there, after one that makes it. Memory of a copy without ` +
        `demo: ${plan.idleMs / 1000} s after its start, and at most while ${plan.orders} orders are paid by 8 at once and a ` +
        'worker sends a photo of 12 MP of three in four. Pages that processes share are counted once.',
      tables: [
        {
          title: 'Start to usable page, s',
          columns: ['start', 'seconds'],
          rows: [
            ['first, which makes the database', first.toFixed(1)],
            ['later', withSpread(later)],
          ],
        },
        memoryTable(idle, busy),
        ...(images.length > 0
          ? [
              {
                title: 'Images, MB; aim: at most 250 each',
                columns: ['image', 'MB'],
                rows: images,
                isDetail: true,
              },
            ]
          : []),
      ],
      plot: {
        kind: 'bars',
        unit: 'MB of memory',
        series: [
          { name: 'idle', points: pointsOf(idle) },
          { name: 'busy, at most', points: pointsOf(busy) },
        ],
      },
    };
  } finally {
    await data.remove();
  }
}

async function measureMemory({ orders, idleMs }: { orders: number; idleMs: number }) {
  await using product = await openProduct({ RATE_LIMIT_SCALE: '100000' });
  await sleep(idleMs);
  const idle = heldBy(product.pid);
  const over = new AbortController();
  const busy = mostHeld(product.pid, over.signal);
  await keepBusy(product, orders);
  over.abort();
  return { idle, busy: await busy };
}

/** At the moment when all of it together was most. */
async function mostHeld(pid: number, over: AbortSignal): Promise<Held> {
  let most = heldBy(pid);
  while (!over.aborted) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
    const now = heldBy(pid);
    if (total(now) > total(most)) most = now;
  }
  return most;
}

const total = (held: Held): number => Object.values(held).reduce((sum, one) => sum + one, 0);

const pointsOf = (held: Held): Point[] =>
  [...Object.entries(held), ['all', total(held)] as const].map(([name, mb]) => pointOf(name, [mb]));

function memoryTable(idle: Held, busy: Held): Table {
  const row = (name: string, one: number, other: number) => [name, Math.round(one), Math.round(other)];
  return {
    title: 'Memory, MB',
    columns: ['processes', 'idle', 'busy, when all was most'],
    rows: [
      ...Object.entries(idle).map(([name, mb]) => row(name, mb, busy[name as keyof Held])),
      row('all', total(idle), total(busy)),
    ],
  };
}
