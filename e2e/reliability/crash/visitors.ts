import { Refused } from '@arboleda/contracts/client.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withComment } from '../../driver/pictures.ts';
import { PASSWORD } from '../../harness/accounts.ts';
import { pastMorning } from '../../harness/past-morning.ts';
import type { Line } from './clients.ts';

interface Paid {
  orderId: string;
  amount: number;
}

/** Pays by card, and waits until the private link shows the order. */
async function buyByCard({ driver, told }: Line, email: string, trees = 1, gift?: Gift): Promise<Paid> {
  const payment = await driver.start(email, { trees, gift });
  const { orderId, amount } = payment;
  told.paid.push({ orderId, intentId: await driver.pay(payment.client_secret), email });
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
async function buyByTransfer(line: Line, email: string, isGenuine: boolean): Promise<void> {
  const { driver, told, tokens } = line;
  const reference = randomUUID().slice(0, 12);
  const buffer = Buffer.from(withComment(line.files.evidence, reference));
  const evidence = [{ name: 'recibo.jpg', mimeType: 'image/jpeg', buffer }];
  const { orderId } = await driver.announce(email, { trees: 3, reference, evidence });
  const taken: (typeof told.transfers)[number] = { orderId, email, decision: undefined };
  told.transfers.push(taken);
  if (isGenuine) await driver.approve(tokens.admin, orderId);
  else await driver.reject(tokens.admin, orderId, 'No llegó.');
  taken.decision = isGenuine ? 'approved' : 'rejected';
}

/** A customer buys an order and a photo package for it. */
export async function buyGrowth(line: Line): Promise<void> {
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
export async function register({ driver, told }: Line, email: string): Promise<void> {
  const body = { name: 'Eva Prueba', email, password: PASSWORD };
  await driver.call('POST /api/auth/customer/register', { body }).catch((error: unknown) => {
    // The first call was lost on its way back.
    if (!(error instanceof Refused && error.problem?.type === 'email-taken')) throw error;
  });
  told.registered.push(email);
}

/** People who come one after another, some at a time. */
export interface Crowd {
  /** Nobody else comes. Resolves when all have what they came for, or have complained. */
  leave(): Promise<void>;
}

/** Ten visitors in turn: seven pay by card, of whom two give a gift, one gets a refund and one buys a photo package. */
const visit = (line: Line, number: number): Promise<unknown> => {
  const email = `visitor-${number}@reliability.test`;
  switch (number % 10) {
    case 0:
    case 5:
      return buyByTransfer(line, email, number % 20 !== 15);
    case 2:
      return buyGrowth(line);
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
};

export function openCrowd(line: Line, atOnce: number): Crowd {
  let isLeaving = false;
  let next = 0;
  const people = Array.from({ length: atOnce }, async () => {
    while (!isLeaving) {
      const number = next++;
      await visit(line, number).catch((error: unknown) => {
        line.told.complaints.push(`visitor ${number}: ${describe(error)}`);
      });
    }
  });
  return {
    async leave() {
      isLeaving = true;
      await Promise.all(people);
    },
  };
}

const describe = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause === undefined ? message : `${message} (${(cause as Error).message})`;
};

const AT_ONCE = 20;
const PLACE = { latitude: 4.6462, longitude: -75.5861, accuracyMetres: 12 };

/** Workers who plant every assignment, photograph most and complete them. */
export interface Field {
  /** Resolves when nothing is assigned any more. */
  finish(): Promise<void>;
}

/** All workers begin at once. */
export function openField(line: Line): Field {
  let isClosing = false;
  const works = line.tokens.workers.map(async (token) => {
    for (;;) {
      const wasClosing = isClosing;
      const found = await work(line, token).catch((error: unknown) => {
        line.told.complaints.push(`a worker: ${(error as Error).message}`);
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
async function work(line: Line, token: string): Promise<number> {
  const { assignments } = await line.driver.call('GET /api/workers/assignments', {
    token,
    query: { status: 'assigned', limit: AT_ONCE },
  });
  for (const { _id: id, orderId } of assignments) {
    await step(line, token, { id, orderId, status: 'planted' });
    // By the order's own id, so that the share is the same in every run.
    const luck = orderId.charCodeAt(orderId.length - 1) % 4;
    if (luck > 0) await photograph(line, token, { id, orderId });
    if (luck !== 1) await step(line, token, { id, orderId, status: 'completed' });
  }
  return assignments.length;
}

interface Assigned {
  id: string;
  orderId: string;
}

async function step(
  { driver, told }: Line,
  token: string,
  { id, orderId, status }: Assigned & { status: 'planted' | 'completed' },
): Promise<void> {
  if (status === 'completed') await driver.complete(token, id);
  else await driver.plant(token, id, { location: 'Salento, Quindío', coordinates: PLACE });
  told.steps.push({ orderId, status });
}

async function photograph(
  { driver, told, files }: Line,
  token: string,
  { id, orderId }: Assigned,
): Promise<void> {
  const clientId = randomUUID();
  const buffer = Buffer.from(withComment(files.photo, clientId));
  const photos = await driver.photograph(token, id, [
    { name: 'siembra.jpg', mimeType: 'image/jpeg', buffer, clientId },
  ]);
  const sha256 = createHash('sha256').update(buffer).digest('hex');
  for (const { filename } of photos) told.photos.push({ filename, orderId, sha256 });
}
