import { PHOTOS } from '@arboleda/cli/demo/photos.ts';
import { Refused } from '@arboleda/contracts/client.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { withComment } from '../../driver/pictures.ts';
import { PASSWORD, putPerson } from '../../harness/accounts.ts';
import { pastMorning } from '../../harness/past-morning.ts';
import type { Running } from '../../harness/product.ts';
import { type Going, repeatedly } from '../../harness/wait.ts';

/** Answers that people got. The stores are checked against them. */
export const noPromises = () => ({
  /** Card payments that the provider confirmed. */
  paid: [] as { orderId: string; intentId: string }[],
  /** Accepted transfers, with the decision that an admin got confirmed. */
  transfers: [] as { orderId: string; decision: 'approved' | 'rejected' | undefined }[],
  /** Photos that were accepted from a worker. */
  photos: [] as { filename: string; orderId: string; sha256: string }[],
  /** Steps of workers that were accepted. */
  steps: [] as { orderId: string; status: 'planted' | 'completed' }[],
  /** Refunds that were accepted from an admin. */
  refunds: [] as { orderId: string; refundId: string; amountMinor: number }[],
  /** Photo packages whose payment succeeded. */
  packages: [] as { orderId: string; intentId: string }[],
  /** Paid gifts for delivery at once, each to its own address. */
  gifts: [] as { orderId: string; to: string }[],
  /** Accounts that were opened. */
  registered: [] as string[],
  /** Wrong or missing answers. */
  complaints: [] as string[],
});
export type Promises = ReturnType<typeof noPromises>;

export const checkoutsOf = ({ paid, transfers, packages }: Promises): number =>
  paid.length + transfers.length + packages.length;

/** Accounts, files and the driver of a run, and the promises so far. */
export interface Line {
  /** Repeats calls that get no answer. */
  driver: Driver;
  tokens: { admin: string; customer: string; workers: readonly string[] };
  customerEmail: string;
  files: { photo: Uint8Array; evidence: Uint8Array };
  promises: Promises;
}

const WORKERS = 4;
const CUSTOMER = 'customer@reliability.test';
/** Small, because only the keeping of photos is tested. */
const PHOTO_WIDTH = 240;

/** Creates all accounts and logs them in. */
export async function gather(product: Running): Promise<Line> {
  const driver = openDriver(product, { attempt: persist, withinMs: GIVE_UP_MS });
  const logIn = async (role: Role, email: string, code?: string): Promise<string> => {
    await putPerson(product, role, email, code);
    return driver.logIn(role, email, PASSWORD);
  };
  const workers: string[] = [];
  for (let number = 1; number <= WORKERS; number++)
    workers.push(await logIn('worker', `worker-${number}@reliability.test`, `QU-90${number}`));
  const admin = await logIn('admin', 'admin@reliability.test');
  return {
    driver,
    tokens: { admin, customer: await logIn('customer', CUSTOMER), workers },
    customerEmail: CUSTOMER,
    files: { photo: await smallJpeg('ph-leaf.jpg'), evidence: await smallJpeg('transfer-school.jpg') },
    promises: noPromises(),
  };
}

const smallJpeg = async (drawing: string): Promise<Uint8Array> =>
  sharp(await readFile(new URL(drawing, PHOTOS)))
    .resize(PHOTO_WIDTH)
    .jpeg()
    .toBuffer();

const CALL_WITHIN_MS = 20_000;
/** Longer than any recovery. */
const GIVE_UP_MS = 300_000;
const PAUSES_MS = [100, 250, 500, 1_000];

/** Worth a retry. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status >= 500 || error.status === 429 || error.status === 408;

/** Retries with the same Idempotency-Key, as the web app does. @throws Refused, or an error after `GIVE_UP_MS` */
async function persist<T>(what: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const begunAt = Date.now();
  for (let tries = 0; ; tries++) {
    try {
      return await ask(AbortSignal.timeout(CALL_WITHIN_MS));
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (Date.now() - begunAt > GIVE_UP_MS)
        throw new Error(`${what}: no answer in ${GIVE_UP_MS / 1000} s`, { cause: error });
    }
    await sleep(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]);
  }
}

/** Pays by card, and waits until the private link shows the order. */
async function buyByCard({ driver, promises }: Line, email: string, trees = 1, gift?: Gift) {
  const payment = await driver.start(email, { trees, gift });
  const { orderId, amount } = payment;
  promises.paid.push({ orderId, intentId: await driver.pay(payment.client_secret) });
  await driver.untilVisible(payment);
  return { orderId, amount };
}

/** Buys a gift that is delivered at once. */
async function buyGift(line: Line, email: string): Promise<void> {
  const to = `friend-of-${email}`;
  const { orderId } = await buyByCard(line, email, 2, {
    recipientName: 'Rosa Medina',
    recipientEmail: to,
    message: 'Que crezcan contigo.',
    language: 'es',
    card: 'valley',
    ...pastMorning(),
  });
  line.promises.gifts.push({ orderId, to });
}

/** Announces a transfer with its evidence; an admin approves or rejects it. */
async function buyByTransfer({ driver, promises, tokens, files }: Line, email: string, isGenuine: boolean) {
  const reference = randomUUID().slice(0, 12);
  const buffer = Buffer.from(withComment(files.evidence, reference));
  const evidence = [{ name: 'recibo.jpg', mimeType: 'image/jpeg', buffer }];
  const { orderId } = await driver.announce(email, { trees: 3, reference, evidence });
  const taken: Promises['transfers'][number] = { orderId, decision: undefined };
  promises.transfers.push(taken);
  if (isGenuine) await driver.approve(tokens.admin, orderId);
  else await driver.reject(tokens.admin, orderId, 'No llegó.');
  taken.decision = isGenuine ? 'approved' : 'rejected';
}

/** A customer buys an order and a photo package for it. */
async function buyPhotoPackage(line: Line): Promise<void> {
  const { driver, promises, tokens } = line;
  const { orderId } = await buyByCard(line, line.customerEmail);
  const { photoPackages } = await driver.call('GET /api/config');
  const intentId = await driver.buyPhotoPackage(tokens.customer, orderId, photoPackages[0]!.priceId);
  promises.packages.push({ orderId, intentId });
}

/** An admin gives back a part of what was paid. */
async function buyAndRefund(line: Line, email: string): Promise<void> {
  const { driver, promises, tokens } = line;
  const { orderId, amount } = await buyByCard(line, email, 4);
  const { paymentId } = await driver.payment(tokens.admin, orderId);
  const amountMinor = Math.round(amount / 4);
  const { refundId } = await driver.refund(tokens.admin, paymentId, 'Un árbol menos.', amountMinor);
  promises.refunds.push({ orderId, refundId, amountMinor });
}

/** Opens an account; the mail that verifies its address must come. */
async function register({ driver, promises }: Line, email: string): Promise<void> {
  const body = { name: 'Eva Prueba', email, password: PASSWORD };
  await driver.call('POST /api/auth/customer/register', { body }).catch((error: unknown) => {
    // An earlier try succeeded, and its answer was lost.
    if (!(error instanceof Refused && error.problem?.type === 'email-taken')) throw error;
  });
  promises.registered.push(email);
}

/** Ten visitors in turn: seven pay by card, of whom two give a gift, one gets a refund and one buys a photo package. */
function visit(line: Line, number: number): Promise<unknown> {
  const email = `visitor-${number}@reliability.test`;
  switch (number % 10) {
    case 0:
    case 5:
      return buyByTransfer(line, email, number % 20 !== 15);
    case 2:
      return buyPhotoPackage(line);
    case 3:
    case 8:
      return buyGift(line, email);
    case 4:
      return buyAndRefund(line, email);
    case 7:
      return register(line, email);
    default:
      return buyByCard(line, email);
  }
}

/** Visitors who come one after another, some at a time. `stop` resolves when all have finished. */
export function openVisitors(line: Line, atOnce: number): Going<unknown> {
  let next = 0;
  const comeIn = async () => {
    const number = next++;
    await visit(line, number).catch((error: Error) => {
      const cause = error.cause ? ` (${(error.cause as Error).message})` : '';
      line.promises.complaints.push(`visitor ${number}: ${error.message}${cause}`);
    });
  };
  const people = Array.from({ length: atOnce }, () => repeatedly(comeIn, 0));
  return { stop: () => Promise.all(people.map((one) => one.stop())) };
}

const ASSIGNMENTS_AT_ONCE = 20;
const PLACE = { latitude: 4.6462, longitude: -75.5861, accuracyMetres: 12 };

/** Workers who plant every assignment, photograph most and complete them. `finish` resolves when nothing is assigned any more. */
export function openWorkers(line: Line): { finish(): Promise<void> } {
  let isClosing = false;
  const works = line.tokens.workers.map(async (token) => {
    for (;;) {
      const wasClosing = isClosing;
      const found = await work(line, token).catch((error: Error) => {
        line.promises.complaints.push(`a worker: ${error.message}`);
        return 1;
      });
      if (wasClosing && found === 0) return;
      if (found === 0) await sleep(300);
    }
  });
  return {
    async finish() {
      isClosing = true;
      await Promise.all(works);
    },
  };
}

/** One look at the list. @returns how many assignments there were to do */
async function work({ driver, promises, files }: Line, token: string): Promise<number> {
  const query = { status: 'assigned', limit: ASSIGNMENTS_AT_ONCE } as const;
  const { assignments } = await driver.call('GET /api/workers/assignments', { token, query });
  for (const { _id: id, orderId } of assignments) {
    await driver.plant(token, id, { location: 'Salento, Quindío', coordinates: PLACE });
    promises.steps.push({ orderId, status: 'planted' });
    const luck = orderId.charCodeAt(orderId.length - 1) % 4;
    if (luck > 0) {
      const clientId = randomUUID();
      const buffer = Buffer.from(withComment(files.photo, clientId));
      const picture = { name: 'siembra.jpg', mimeType: 'image/jpeg', buffer, clientId };
      const photos = await driver.photograph(token, id, [picture]);
      const sha256 = createHash('sha256').update(buffer).digest('hex');
      for (const { filename } of photos) promises.photos.push({ filename, orderId, sha256 });
    }
    if (luck === 1) continue;
    await driver.complete(token, id);
    promises.steps.push({ orderId, status: 'completed' });
  }
  return assignments.length;
}
