import { Refused } from '@arboleda/contracts/client.ts';
import { randomUUID } from 'node:crypto';
import { PASSWORD } from '../people.ts';
import { type Line, withComment } from './line.ts';

interface Paid {
  orderId: string;
  amount: number;
}

/** Pays by card, and waits until the private link shows the order. */
export async function buyByCard({ driver, told }: Line, email: string, trees = 1): Promise<Paid> {
  const payment = await driver.start(email, { trees });
  const { orderId, amount } = payment;
  told.paid.push({ orderId, intentId: await driver.pay(payment.client_secret), email });
  await driver.untilVisible(payment);
  return { orderId, amount };
}

/** Announces a transfer with its evidence; an admin approves or rejects it. */
export async function buyByTransfer(line: Line, email: string, isGenuine: boolean): Promise<void> {
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
export async function buyAndRefund(line: Line, email: string): Promise<void> {
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
