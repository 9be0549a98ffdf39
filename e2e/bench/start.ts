import { setTimeout as sleep } from 'node:timers/promises';
import { openDriver } from '@arboleda/cli/demo/driver.ts';
import { PASSWORD, putPerson } from '../harness/accounts.ts';
import { openDataDir, openProduct, type Product } from '../harness/product.ts';
import { commandOf, family, memoryMb } from '../harness/proc.ts';
import { noPromises, openWorkers } from '../reliability/crash/people.ts';
import type { Table } from '../report/table.ts';
import { type Figures, withSpread } from './figures.ts';
import { takePhoto } from './photos/sending.ts';
import { ROOT, startServer } from './processes.ts';

/**
 * `npm start` as it is typed, until the landing page and every service answer; then Ctrl-C. Everything is installed, and the web
 * app was built before.
 * @returns seconds
 */
async function startOnce(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  await using server = await startServer('npm start', '/readyz', (port) => ({
    args: ['infra/cli/bootstrap.js', 'start'],
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', PORT: String(port), DATA_DIR: dataDir },
  }));
  const page = await fetch(server.url);
  await page.arrayBuffer();
  if (!page.ok) throw new Error(`the landing page was answered ${page.status}`);
  return (performance.now() - startedAt) / 1000;
}

const BUYERS = 8;
const WORKER = 'rosa@bench.test';

/** Many buy at once, and a worker plants and sends photos of 12 MP of most of it. */
async function keepBusy(product: Product, orders: number): Promise<void> {
  await putPerson(product, 'worker', WORKER, 'QU-001');
  const driver = openDriver(product);
  const token = await driver.logIn('worker', WORKER, PASSWORD);
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

const total = (held: Held): number => Object.values(held).reduce((sum, one) => sum + one, 0);

/** By then, everything opened only for the start is closed. */
const IDLE_MS = 10_000;
const LOOK_EVERY_MS = 500;

/** Idle, and busy at the moment when all of it together was most. */
async function measureMemory({ orders, idleMs }: { orders: number; idleMs: number }) {
  await using product = await openProduct({ RATE_LIMIT_SCALE: '100000' });
  await sleep(idleMs);
  const idle = heldBy(product.pid);
  let busy = idle;
  const looking = setInterval(() => {
    const now = heldBy(product.pid);
    if (total(now) > total(busy)) busy = now;
  }, LOOK_EVERY_MS);
  try {
    await keepBusy(product, orders);
  } finally {
    clearInterval(looking);
  }
  return { idle, busy };
}

/** `npm start` to a usable page, and what each process of it holds. */
export async function startBench({ quick }: { quick: boolean }): Promise<Figures> {
  const plan = quick ? { starts: 1, orders: 4, idleMs: 0 } : { starts: 5, orders: 300, idleMs: IDLE_MS };
  const data = await openDataDir();
  try {
    const first = await startOnce(data.path);
    const later: number[] = [];
    for (let at = 0; at < plan.starts; at++) later.push(await startOnce(data.path));
    const { idle, busy } = await measureMemory(plan);
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
          plotted: 'seconds',
          rows: [
            ['first, which makes the database', first.toFixed(1)],
            ['later', withSpread(later)],
          ],
        },
        memoryTable(idle, busy),
      ],
    };
  } finally {
    await data.remove();
  }
}

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
