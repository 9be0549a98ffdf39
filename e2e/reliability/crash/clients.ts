import { Refused } from '@arboleda/contracts/client.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { PHOTOS } from '@arboleda/cli/demo/photos.ts';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { type Driver, openDriver } from '../../driver/driver.ts';
import { PASSWORD, putPerson } from '../../harness/accounts.ts';
import { runningAt, type Tier } from './tiers.ts';

const WORKERS = 4;
const CUSTOMER = 'customer@reliability.test';
/** Small: a run is about keeping photos, not about how long pictures take. */
const PHOTO_WIDTH = 240;

/** Logs in everybody who works in a run. */
export async function gather(tier: Tier): Promise<Line> {
  const product = runningAt(tier.env, tier.url, tier.demoPassword);
  const driver = openDriver(product, { attempt: persist, withinMs: GIVE_UP_MS });
  const logIn = async (role: Role, email: string, code?: string): Promise<string> => {
    await putPerson(product, role, email, code);
    return driver.logIn(role, email, PASSWORD);
  };
  const workers: string[] = [];
  for (let number = 1; number <= WORKERS; number++) {
    workers.push(await logIn('worker', `worker-${number}@reliability.test`, `QU-90${number}`));
  }
  return {
    driver,
    tokens: {
      admin: await logIn('admin', 'admin@reliability.test'),
      customer: await logIn('customer', CUSTOMER),
      workers,
    },
    customerEmail: CUSTOMER,
    files: {
      photo: await smallJpeg('ph-leaf.jpg'),
      evidence: await smallJpeg('transfer-school.jpg'),
    },
    told: nothingTold(),
  };
}

const smallJpeg = async (drawing: string): Promise<Uint8Array> =>
  sharp(await readFile(new URL(drawing, PHOTOS)))
    .resize(PHOTO_WIDTH)
    .jpeg()
    .toBuffer();

/** Promises that clients got as answers. The stores are checked against them. */
export interface Told {
  /** Card payments that Stripe's page said succeeded. */
  paid: { orderId: string; intentId: string; email: string }[];
  /** Accepted transfers, with the decision that an admin got confirmed. */
  transfers: { orderId: string; email: string; decision: 'approved' | 'rejected' | undefined }[];
  /** Photos that were accepted from a worker. */
  photos: { filename: string; orderId: string; sha256: string }[];
  /** Steps of workers that were accepted. */
  steps: { orderId: string; status: 'planted' | 'completed' }[];
  /** Money that an admin was told goes back. */
  refunds: { orderId: string; refundId: string; amountMinor: number }[];
  /** Photo packages whose payment succeeded. */
  packages: { orderId: string; intentId: string }[];
  /** Paid gifts, to be delivered at once. Each has an address of its own. */
  gifts: { orderId: string; to: string }[];
  /** Accounts that were opened. */
  registered: string[];
  /** Answers that no client should get. */
  complaints: string[];
}

export const nothingTold = (): Told => ({
  paid: [],
  transfers: [],
  photos: [],
  steps: [],
  refunds: [],
  packages: [],
  gifts: [],
  registered: [],
  complaints: [],
});

export const checkoutsOf = (told: Told): number =>
  told.paid.length + told.transfers.length + told.packages.length;

const CALL_WITHIN_MS = 20_000;
/** Nothing may be stuck; how soon it comes is measured elsewhere. */
export const GIVE_UP_MS = 300_000;
const PAUSES_MS = [100, 250, 500, 1_000];

/** Not an answer to what was asked: the same again may be answered. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status >= 500 || error.status === 429 || error.status === 408;

/**
 * Asks until there is an answer, as the web app does: the same request under the same Idempotency-Key.
 * @throws Refused when the product says no; an Error when there is no answer for minutes
 */
export async function persist<T>(what: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const begunAt = Date.now();
  for (let tries = 0; ; tries++) {
    try {
      return await ask(AbortSignal.timeout(CALL_WITHIN_MS));
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (Date.now() - begunAt > GIVE_UP_MS) {
        throw new Error(`${what}: no answer in ${GIVE_UP_MS / 1000} s`, { cause: error });
      }
    }
    await sleep(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
  }
}

/** Everything that the clients of a run need. */
export interface Line {
  /** Repeats calls that get no answer. */
  driver: Driver;
  tokens: { admin: string; customer: string; workers: readonly string[] };
  /** Whose orders get growth packages. */
  customerEmail: string;
  /** Files as telephones make them. */
  files: { photo: Uint8Array; evidence: Uint8Array };
  told: Told;
}
