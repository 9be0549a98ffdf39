import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir, startProduct } from '../../harness/product.ts';
import type { Table } from '../../report/table.ts';
import { pointOf, withSpread } from '../figures.ts';
import type { Figures, Point } from '../report/bench.ts';
import { keepBusy } from './busy.ts';
import { imageSizes } from './images.ts';
import { heldBy, type Held } from './memory.ts';
import { startOnce } from './starting.ts';

/** By then, everything opened only for the start is closed. */
const IDLE_MS = 10_000;
const LOOK_EVERY_MS = 500;

/** `npm start` to a usable page, what each process of it holds, and how big the images are. */
export async function start({ quick }: { quick: boolean }): Promise<Figures> {
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
          title: 'Start to usable page, s; aim: at most 6',
          columns: ['start', 'seconds'],
          rows: [
            ['first, which makes the database', first.toFixed(1)],
            ['later', withSpread(later)],
          ],
        },
        memoryTable(idle, busy),
        ...(images.length > 0
          ? [{ title: 'Images, MB; aim: at most 250 each', columns: ['image', 'MB'], rows: images }]
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
  const data = await openDataDir();
  try {
    const product = await startProduct(data.path, { RATE_LIMIT_SCALE: '100000' });
    try {
      await sleep(idleMs);
      const idle = heldBy(product.pid);
      const over = new AbortController();
      const busy = mostHeld(product.pid, over.signal);
      await keepBusy(product, orders);
      over.abort();
      return { idle, busy: await busy };
    } finally {
      await product.stop();
    }
  } finally {
    await data.remove();
  }
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
    title: 'Memory, MB; aim: at most 600 in all',
    columns: ['processes', 'idle', 'busy, when all was most'],
    rows: [
      ...Object.entries(idle).map(([name, mb]) => row(name, mb, busy[name as keyof Held])),
      row('all', total(idle), total(busy)),
    ],
  };
}
