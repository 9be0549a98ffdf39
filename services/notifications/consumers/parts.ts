import type { GiftTokens, OrderTokens } from '@arboleda/chassis/order-token.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { claimedGift, findGift } from '../copies/gifts.ts';
import type { OrderCopy } from '../copies/orders.ts';
import type { DonorKind } from '../mails/kinds.ts';
import type { OrderFacts } from '../mails/index.ts';
import type { Recipient, Unaddressed } from '../queue/mail.ts';
import type { AddressHash } from '../queue/gift-mail.ts';
import { queueMail } from '../queue/mail-store.ts';

export interface ConsumerParts {
  sql: Sql;
  clock: () => Date;
  orderToken: OrderTokens;
  giftToken: GiftTokens;
  /** How long a receipt waits to name the worker; 0 sends an email of its own for that. */
  receiptMailDelaySeconds: number;
  /** How long photos of one order are collected before the donor is notified. */
  photoMailDelaySeconds: number;
  addressHash: AddressHash;
}

/** Queues an email to an order's donor, unless they were erased. @param runAt the earliest time to send it */
export async function queueDonorMail(
  tx: Transaction,
  { to }: OrderCopy,
  mail: Unaddressed<DonorKind>,
  runAt?: Date,
): Promise<void> {
  if (!isErased(to.address)) await queueMail(tx, { ...mail, to }, { runAt });
}

/** For a receipt: to whom the trees are given, and when. */
export const inGift = (gift: { recipientName: string; deliverOn: string } | undefined) =>
  gift && { gift: { recipientName: gift.recipientName, deliverOn: gift.deliverOn } };

/** Queues an email about how the trees are doing, to the donor and to the person who received them as a gift. */
export async function queueTreesMail(
  tx: Transaction,
  order: OrderCopy,
  mail: Unaddressed<'planted' | 'photos' | 'completed' | 'growth-update'>,
): Promise<void> {
  await queueDonorMail(tx, order, mail);
  const gift = await claimedGift(tx, order.facts.orderId);
  if (!gift) return;
  const { orderToken: _donors, ...facts } = mail.facts;
  await queueMail(tx, { ...mail, to: gift.to, facts: { ...facts, giftToken: gift.token } } as never);
}

/**
 * Finds the payer of an order, or of a photo package: the donor, or the recipient of a gift who bought the package.
 * @returns undefined once erased
 */
export async function payerOf(
  tx: Transaction,
  order: OrderCopy,
  photoPackage: { purchaseId: string } | undefined,
): Promise<{ to: Recipient; facts: OrderFacts } | undefined> {
  const { orderId, trees } = order.facts;
  const gift = photoPackage && (await findGift(tx, orderId));
  if (gift?.purchases.includes(photoPackage!.purchaseId))
    return gift.claim && { to: gift.claim, facts: { orderId, trees, giftToken: gift.token } };
  return isErased(order.to.address) ? undefined : { to: order.to, facts: order.facts };
}
