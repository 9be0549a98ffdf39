import { PHOTOS } from '@arboleda/cli/demo/photos.ts';
import { Refused } from '@arboleda/contracts/client.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import type { Role } from '@arboleda/contracts/roles.ts';
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { type Driver, openDriver } from '../../driver/driver.ts';
import { withComment } from '../../driver/pictures.ts';
import { PASSWORD, putPerson } from '../../harness/accounts.ts';
import { pastMorning } from '../../harness/past-morning.ts';
import type { Running } from '../../harness/product.ts';
import { type Going, repeatedly } from '../../harness/wait.ts';

/** Promises that people got as answers. The stores are checked against them. */
export const nothingTold = () => ({
  /** Card payments that Stripe's page said succeeded. */
  paid: [] as { orderId: string; intentId: string }[],
  /** Accepted transfers, with the decision that an admin got confirmed. */
  transfers: [] as { orderId: string; decision: 'approved' | 'rejected' | undefined }[],
  /** Photos that were accepted from a worker. */
  photos: [] as { filename: string; orderId: string; sha256: string }[],
  /** Steps of workers that were accepted. */
  steps: [] as { orderId: string; status: 'planted' | 'completed' }[],
  /** Money that an admin was told goes back. */
  refunds: [] as { orderId: string; refundId: string; amountMinor: number }[],
  /** Photo packages whose payment succeeded. */
  packages: [] as { orderId: string; intentId: string }[],
  /** Paid gifts, to be delivered at once. Each has an address of its own. */
  gifts: [] as { orderId: string; to: string }[],
  /** Accounts that were opened. */
  registered: [] as string[],
  /** Answers that nobody should get. */
  complaints: [] as string[],
});
export type Told = ReturnType<typeof nothingTold>;

export const checkoutsOf = ({ paid, transfers, packages }: Told): number =>
  paid.length + transfers.length + packages.length;

/** Everything that the people of a run need. */
export interface Line {
  /** Repeats calls that get no answer. */
  driver: Driver;
  tokens: { admin: string; customer: string; workers: readonly string[] };
  /** Whose orders get photo packages. */
  customerEmail: string;
  /** Files as telephones make them. */
  files: { photo: Uint8Array; evidence: Uint8Array };
  told: Told;
}

const WORKERS = 4;
const CUSTOMER = 'customer@reliability.test';
/** Small: a run is about keeping photos, not about how long pictures take. */
const PHOTO_WIDTH = 240;

/** Logs in everybody who works in a run. */
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
    told: nothingTold(),
  };
}

const smallJpeg = async (drawing: string): Promise<Uint8Array> =>
  sharp(await readFile(new URL(drawing, PHOTOS)))
    .resize(PHOTO_WIDTH)
    .jpeg()
    .toBuffer();

const CALL_WITHIN_MS = 20_000;
/** Nothing may be stuck; how soon it comes is measured elsewhere. */
const GIVE_UP_MS = 300_000;
const PAUSES_MS = [100, 250, 500, 1_000];

/** Not an answer to what was asked: the same again may be answered. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status >= 500 || error.status === 429 || error.status === 408;

/**
 * Asks until there is an answer, as the web app does: the same request under the same Idempotency-Key.
 * @throws Refused when the product says no; an Error when there is no answer for minutes
 */
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
async function buyByCard({ driver, told }: Line, email: string, trees = 1, gift?: Gift) {
  const payment = await driver.start(email, { trees, gift });
  const { orderId, amount } = payment;
  told.paid.push({ orderId, intentId: await driver.pay(payment.client_secret) });
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
  line.told.gifts.push({ orderId, to });
}

/** Announces a transfer with its evidence; an admin approves or rejects it. */
async function buyByTransfer({ driver, told, tokens, files }: Line, email: string, isGenuine: boolean) {
  const reference = randomUUID().slice(0, 12);
  const buffer = Buffer.from(withComment(files.evidence, reference));
  const evidence = [{ name: 'recibo.jpg', mimeType: 'image/jpeg', buffer }];
  const { orderId } = await driver.announce(email, { trees: 3, reference, evidence });
  const taken: Told['transfers'][number] = { orderId, decision: undefined };
  told.transfers.push(taken);
  if (isGenuine) await driver.approve(tokens.admin, orderId);
  else await driver.reject(tokens.admin, orderId, 'No llegó.');
  taken.decision = isGenuine ? 'approved' : 'rejected';
}

/** A customer buys an order and a photo package for it. */
async function buyPhotoPackage(line: Line): Promise<void> {
  const { driver, told, tokens } = line;
  const { orderId } = await buyByCard(line, line.customerEmail);
  const { photoPackages } = await driver.call('GET /api/config');
  const intentId = await driver.buyPhotoPackage(tokens.customer, orderId, photoPackages[0]!.priceId);
  told.packages.push({ orderId, intentId });
}

/** An admin gives back a part of what was paid. */
async function buyAndRefund(line: Line, email: string): Promise<void> {
  const { driver, told, tokens } = line;
  const { orderId, amount } = await buyByCard(line, email, 4);
  const { paymentId } = await driver.payment(tokens.admin, orderId);
  const amountMinor = Math.round(amount / 4);
  const { refundId } = await driver.refund(tokens.admin, paymentId, 'Un árbol menos.', amountMinor);
  told.refunds.push({ orderId, refundId, amountMinor });
}

/** Opens an account; the mail that verifies its address must come. */
async function register({ driver, told }: Line, email: string): Promise<void> {
  const body = { name: 'Eva Prueba', email, password: PASSWORD };
  await driver.call('POST /api/auth/customer/register', { body }).catch((error: unknown) => {
    // The first call was lost on its way back.
    if (!(error instanceof Refused && error.problem?.type === 'email-taken')) throw error;
  });
  told.registered.push(email);
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

/** Visitors who come one after another, some at a time. `stop` resolves when all have what they came for, or have complained. */
export function openVisitors(line: Line, atOnce: number): Going<unknown> {
  let next = 0;
  const comeIn = async () => {
    const number = next++;
    await visit(line, number).catch((error: Error) => {
      const cause = error.cause ? ` (${(error.cause as Error).message})` : '';
      line.told.complaints.push(`visitor ${number}: ${error.message}${cause}`);
    });
  };
  const people = Array.from({ length: atOnce }, () => repeatedly(comeIn, 0));
  return { stop: () => Promise.all(people.map((one) => one.stop())) };
}

const ASSIGNMENTS_AT_ONCE = 20;
const PLACE = { latitude: 4.6462, longitude: -75.5861, accuracyMetres: 12 };

/**
 * Workers who plant every assignment, photograph most and complete them; all begin at once. `finish` resolves when nothing is assigned
 * any more.
 */
export function openWorkers(line: Line): { finish(): Promise<void> } {
  let isClosing = false;
  const works = line.tokens.workers.map(async (token) => {
    for (;;) {
      const wasClosing = isClosing;
      const found = await work(line, token).catch((error: Error) => {
        line.told.complaints.push(`a worker: ${error.message}`);
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
async function work({ driver, told, files }: Line, token: string): Promise<number> {
  const query = { status: 'assigned', limit: ASSIGNMENTS_AT_ONCE } as const;
  const { assignments } = await driver.call('GET /api/workers/assignments', { token, query });
  for (const { _id: id, orderId } of assignments) {
    await driver.plant(token, id, { location: 'Salento, Quindío', coordinates: PLACE });
    told.steps.push({ orderId, status: 'planted' });
    // By the order's own id, so that the share is the same in every run.
    const luck = orderId.charCodeAt(orderId.length - 1) % 4;
    if (luck > 0) {
      const clientId = randomUUID();
      const buffer = Buffer.from(withComment(files.photo, clientId));
      const picture = { name: 'siembra.jpg', mimeType: 'image/jpeg', buffer, clientId };
      const photos = await driver.photograph(token, id, [picture]);
      const sha256 = createHash('sha256').update(buffer).digest('hex');
      for (const { filename } of photos) told.photos.push({ filename, orderId, sha256 });
    }
    if (luck === 1) continue;
    await driver.complete(token, id);
    told.steps.push({ orderId, status: 'completed' });
  }
  return assignments.length;
}
