import { DEMO_ADMIN, DEMO_WORKERS } from '@arboleda/cli/demo/accounts.ts';
import { type Driver, openDriver, type StartedPayment } from '@arboleda/cli/demo/driver.ts';
import { fieldPhoto, PLACE } from '@arboleda/cli/demo/photos.ts';
import { Refused } from '@arboleda/contracts/client.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDoctor } from '../../distributed/operator.ts';
import { type Composed, startCompose } from '../../harness/compose.ts';
import { repeatedly, waitFor } from '../../harness/wait.ts';
import type { PartResult, RunOptions } from '../part.ts';

const ENGINES = ['postgres', 'mongodb', 'minio', 'kafka'] as const;
type Engine = (typeof ENGINES)[number];
/** A container's outages, and what ends them. A paused one keeps its connections, and is silent on them. */
const OUTAGES = { stop: 'start', pause: 'unpause' } as const;
type Outage = keyof typeof OUTAGES;

const LASTS_SECONDS = { long: 60, short: 10 };
const BUY_EVERY_MS = 500;
const PHOTO_EVERY_MS = 2_000;
/** The longest deadline of a call, and the time of a busy machine. */
const ANSWERED_WITHIN_MS = 60_000;
const SERVED_WITHIN_MS = 120_000;
const CAUGHT_UP_WITHIN_MS = 300_000;

/** Calls of one kind, by how they ended. */
interface Tally {
  done: number;
  /** A clear 503. */
  refused: number;
  others: string[];
  slowestMs: number;
}

/**
 * Stops and pauses each engine of docker compose while two people a second buy and a worker sends photos. `--seconds=20`,
 * `--only=postgres`, `--only="minio, pause"`.
 */
export async function inContainers({ short, print, settings }: RunOptions): Promise<PartResult> {
  const seconds = Number(settings.seconds ?? LASTS_SECONDS[short ? 'short' : 'long']);
  const plan = ENGINES.flatMap((engine) =>
    (Object.keys(OUTAGES) as Outage[]).map((outage) => [engine, outage] as const),
  ).filter((one) => one.join(', ').includes(settings.only ?? ''));
  const product = await startCompose({ RATE_LIMIT_SCALE: '1000' });
  const rows: string[][] = [];
  const violations: string[] = [];
  try {
    for (const [engine, outage] of plan) {
      const tried = await tryOut(product, engine, outage, seconds * 1000);
      rows.push([`${engine}, ${outage}`, ...tried.row]);
      violations.push(...tried.faults.map((fault) => `${engine}, ${outage}: ${fault}`));
      print(rows.at(-1)!.join(' · '));
    }
  } finally {
    await product.down();
  }
  return {
    part: 'faults --tier=containers',
    work: `docker compose with one container a service; each outage lasts ${seconds} s, in which two people a second buy by card and a worker sends a photo every two seconds. Afterwards each payment is one order, each accepted photo is there, and doctor finds nothing.`,
    tables: [
      {
        title: 'Done and refused during the outage (slowest answer), and again after it',
        columns: ['outage', 'purchases', 'photos', 'until both are served', 'until all orders are there'],
        rows,
      },
    ],
    violations,
  };
}

async function tryOut(product: Composed, engine: Engine, outage: Outage, lastsMs: number) {
  const driver = openDriver(product, { withinMs: CAUGHT_UP_WITHIN_MS });
  const field = await openField(driver, product.demoPassword);
  const paid: StartedPayment[] = [];
  const sent: string[] = [];
  const buy = async () => {
    const payment = await driver.start(`outage-${crypto.randomUUID()}@mail.test`, { trees: 1 });
    await driver.pay(payment.client_secret);
    paid.push(payment);
  };
  const photograph = async () => {
    sent.push(...(await field.photograph()).map(({ filename }) => filename));
  };
  const purchases = tally();
  const photos = tally();

  await product.compose(outage, engine);
  // They come whether or not those before them were answered.
  const comings = [begun(purchases, buy, BUY_EVERY_MS), begun(photos, photograph, PHOTO_EVERY_MS)];
  await sleep(lastsMs);
  const answered = Promise.all(comings.map((coming) => coming.stop()));
  await product.compose(OUTAGES[outage], engine);
  const mendedAt = performance.now();
  await answered;

  const faults = [
    ...sentences('purchases', purchases, ['mongodb', 'minio', 'kafka'].includes(engine)),
    ...sentences('photos', photos, engine === 'kafka'),
  ];
  const msUntil = (what: string, isSo: () => Promise<boolean>, withinMs: number): Promise<number> =>
    waitFor(what, isSo, withinMs).then(
      () => performance.now() - mendedAt,
      (error: Error) => {
        faults.push(error.message);
        return Infinity;
      },
    );
  const serves = (work: () => Promise<void>) => () => work().then(() => true);
  const servedMs = [
    await msUntil('a purchase', serves(buy), SERVED_WITHIN_MS),
    await msUntil('a photo', serves(photograph), SERVED_WITHIN_MS),
  ];
  const missing = new Set(paid);
  const caughtUpMs = await msUntil(
    'an order for each payment',
    async () => {
      for (const one of missing) {
        if (!(await driver.isVisible(one.orderToken))) return false;
        missing.delete(one);
      }
      return true;
    },
    CAUGHT_UP_WITHIN_MS,
  );
  const kept = new Set(await field.kept());
  const lost = sent.filter((filename) => !kept.has(filename));
  if (lost.length > 0) faults.push(`${lost.length} of ${sent.length} accepted photos are not there`);
  // Doctor tells for a while of problems during the outage.
  await waitFor(
    'doctor to find nothing',
    async () => (await askDoctor(product)).length === 0,
    SERVED_WITHIN_MS,
  ).catch(async () => faults.push(...(await askDoctor(product)).map((sentence) => `doctor: ${sentence}`)));
  return {
    row: [cell(purchases), cell(photos), shown(Math.max(...servedMs)), shown(caughtUpMs)],
    faults,
  };
}

/** A planted order, whose worker sends photos of it. */
async function openField(driver: Driver, password: string) {
  const { email } = DEMO_WORKERS[0]!;
  const admin = await driver.logIn('admin', DEMO_ADMIN.email, password);
  const worker = await driver.logIn('worker', email, password);
  const order = await driver.buy(`photographed-${crypto.randomUUID()}@mail.test`, { trees: 1 });
  const assignmentId = await driver.give(admin, order.orderId, email, worker);
  await driver.plant(worker, assignmentId);
  let taken = 0;
  return {
    async photograph() {
      // Its own second makes each a photo of its own.
      const photo = await fieldPhoto('ph-leaf.jpg', PLACE, new Date(Date.UTC(2026, 4, 1, 0, 0, taken++)));
      return driver.photograph(worker, assignmentId, [photo]);
    },
    async kept() {
      const { photos } = await driver.call('GET /api/admin/orders/{id}/photos', {
        token: admin,
        params: { id: order.orderId },
      });
      return photos.map(({ filename }) => filename);
    },
  };
}

const tally = (): Tally => ({ done: 0, refused: 0, others: [], slowestMs: 0 });

/** Begins again and again, without waiting for what was begun. `stop` waits for all of it. */
function begun(counted: Tally, act: () => Promise<void>, everyMs: number) {
  const all: Promise<void>[] = [];
  const going = repeatedly(async () => {
    all.push(counting(counted, act));
  }, everyMs);
  return { stop: () => going.stop().then(() => Promise.all(all)) };
}

async function counting(counted: Tally, act: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  try {
    await act();
    counted.done++;
  } catch (error) {
    if (error instanceof Refused && error.status === 503) counted.refused++;
    else counted.others.push((error as Error).message);
  }
  counted.slowestMs = Math.max(counted.slowestMs, performance.now() - startedAt);
}

/** Violations of what the product promises. @param isServable whether nothing that these calls need is away */
function sentences(what: string, { done, refused, others, slowestMs }: Tally, isServable: boolean): string[] {
  const all = done + refused + others.length;
  return [
    ...(others.length > 0 ? [`${others.length} of ${all} ${what} failed: ${others[0]}`] : []),
    ...(isServable && refused > 0 ? [`${refused} of ${all} ${what} were refused`] : []),
    ...(slowestMs > ANSWERED_WITHIN_MS ? [`${what} were answered after ${shown(slowestMs)}`] : []),
  ];
}

const cell = ({ done, refused, others, slowestMs }: Tally): string =>
  `${done} done, ${refused} refused${others.length > 0 ? `, ${others.length} failed` : ''} (${shown(slowestMs)})`;

const shown = (ms: number): string => (ms === Infinity ? 'never' : `${(ms / 1000).toFixed(1)} s`);
