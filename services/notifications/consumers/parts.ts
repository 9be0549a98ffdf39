import type { GiftTokens, OrderTokens } from '@arboleda/chassis/order-token.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { type AddressHash, claimedGift, gifts } from '../copies/gifts.ts';
import type { OrderCopy } from '../copies/orders.ts';
import type { DonorKind } from '../mails/kinds.ts';
import type { NewMail, Unaddressed } from '../queue/mail.ts';
import { queueMail, queueMails } from '../queue/mail-store.ts';
import { type MoneyEvent, moneyMail, type Payer } from './money.ts';

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
  /** The organisation's own address. */
  officeEmail: string;
}

/** An email to an order's donor; none once they were erased. */
export const toDonor = ({ to }: OrderCopy, mail: Unaddressed<DonorKind>): NewMail[] =>
  isErased(to.address) ? [] : [{ ...mail, to }];

export const queueDonorMail = (
  tx: Transaction,
  order: OrderCopy,
  mail: Unaddressed<DonorKind>,
): Promise<void> => queueMails(tx, toDonor(order, mail));

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

/** Queues the email about an event's money to the payer, unless they were erased. @param sendAfter the earliest time to send it */
export async function queueMoneyMail(
  tx: Transaction,
  event: MoneyEvent,
  order: OrderCopy,
  sendAfter?: Date,
): Promise<void> {
  const photoPackage = 'photoPackage' in event.data ? event.data.photoPackage : undefined;
  const payer = await payerOf(tx, order, photoPackage);
  const mail = payer && moneyMail(event, order, payer);
  if (mail) await queueMail(tx, mail, { sendAfter });
}

/** The donor, or the recipient of a gift who bought the photo package; undefined once erased. */
async function payerOf(
  tx: Transaction,
  order: OrderCopy,
  photoPackage: { purchaseId: string } | undefined,
): Promise<Payer | undefined> {
  const { orderId, trees } = order.facts;
  const gift = photoPackage && (await gifts.lock(tx, orderId));
  if (gift?.purchases.includes(photoPackage!.purchaseId))
    return gift.claim && { to: gift.claim, facts: { orderId, trees, giftToken: gift.token } };
  return isErased(order.to.address) ? undefined : { to: order.to, facts: order.facts };
}
