import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import {
  type Gift,
  giftDayProblem,
  MAX_GIFTS_OF_BUYER,
  MAX_GIFTS_TO_ADDRESS,
} from '@arboleda/contracts/gift.ts';
import { hasLink } from '@arboleda/contracts/links.ts';
import { mailboxOf } from '@arboleda/contracts/mailbox.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { Purchase } from '@arboleda/contracts/purchase.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { isTakenName } from '@arboleda/contracts/sender-name.ts';
import { lock } from '../settling.ts';

/**
 * Checks what a gift's buyer chose. Their name is the sender of an email from our address.
 * @throws Problem at `gift.deliverOn` for a day that cannot be chosen now; at `customerName` for a name with a link, or of a
 * bank or an authority
 */
export function checkGift(
  { gift, customerName }: { gift?: Gift | undefined; customerName: string },
  now: Date,
): void {
  if (!gift) return;
  const problem = giftDayProblem(gift, now);
  if (problem) throw fieldProblem('gift.deliverOn', problem);
  if (hasLink(customerName)) throw fieldProblem('customerName', 'no-links');
  if (isTakenName(customerName)) throw fieldProblem('customerName', 'not-a-sender');
}

type Gifted = Pick<Purchase, 'paymentId' | 'customer' | 'gift'>;

/** Serializes purchases of gifts to one mailbox and of one buyer until the transaction ends. */
export async function lockGifts(tx: Transaction, { customer, gift }: Gifted): Promise<void> {
  // Always in this order, so that two never wait for each other.
  if (gift?.recipientEmail) await lock(tx, 'gifts to', mailboxOf(gift.recipientEmail));
  if (gift) await lock(tx, 'gifts of', mailboxOf(customer.email));
}

const HOUR_MS = 60 * 60_000;

/**
 * Refuses a purchase that is a gift too many, under the lock of lockGifts. Addresses count by mailbox. A started card payment
 * counts for an hour, a paid one and a transfer that was not rejected count always.
 * @throws Problem `too-many-gifts`
 */
export async function requireGiftRoom(
  tx: Transaction,
  { paymentId, customer, gift }: Gifted,
  now: Date,
): Promise<void> {
  if (!gift) return;
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS);
  const { rows } = await tx.query<{ to_mailbox: string; of_buyer: string }>(
    `select count(*) filter (where mailbox(recipient) = mailbox($1) and deliver_on = $2) as to_mailbox,
       count(*) filter (where mailbox(buyer) = mailbox($3) and created_at > $4) as of_buyer
     from (
       select gift ->> 'recipientEmail' as recipient, gift ->> 'deliverOn' as deliver_on, customer ->> 'email' as buyer,
         created_at
       from payments
       where gift is not null and (mailbox(gift ->> 'recipientEmail') = mailbox($1) or mailbox(customer ->> 'email') = mailbox($3))
         and (status in ('processing', 'succeeded') or (status = 'open' and created_at > $5)) and id <> $6
       union all
       select gift ->> 'recipientEmail', gift ->> 'deliverOn', customer ->> 'email', created_at from transfers
       where gift is not null and (mailbox(gift ->> 'recipientEmail') = mailbox($1) or mailbox(customer ->> 'email') = mailbox($3))
         and status <> 'rejected' and id <> $6
       union all
       select recipient_email, deliver_on, buyer_email, at from gift_reservations where at > $5 and payment_id <> $6
     ) as others`,
    [gift.recipientEmail, gift.deliverOn, customer.email, ago(24), ago(1), paymentId],
  );
  const { to_mailbox, of_buyer } = rows[0]!;
  if (Number(to_mailbox) >= MAX_GIFTS_TO_ADDRESS) throw tooMany('gift.recipientEmail');
  if (Number(of_buyer) >= MAX_GIFTS_OF_BUYER) throw tooMany('gift');
}

/**
 * Reserves the place of a gift before its intent is made at Stripe, so that none is made for a gift too many.
 * @throws Problem `too-many-gifts`
 */
export async function reserveGift(sql: Sql, purchase: Gifted, now: Date): Promise<void> {
  const { paymentId, gift, customer } = purchase;
  if (!gift) return;
  await sql.transaction(async (tx) => {
    await lockGifts(tx, purchase);
    await requireGiftRoom(tx, purchase, now);
    await tx.query('delete from gift_reservations where at <= $1', [new Date(now.getTime() - HOUR_MS)]);
    await tx.query(
      `insert into gift_reservations (payment_id, recipient_email, deliver_on, buyer_email, at) values ($1, $2, $3, $4, $5)
       on conflict (payment_id) do nothing`,
      [paymentId, gift.recipientEmail, gift.deliverOn, customer.email, now],
    );
  });
}

/** Ends a reservation: its payment is stored, or no intent was made. */
export async function releaseGift(
  sql: Pick<Sql, 'query'>,
  { paymentId, gift }: Pick<Gifted, 'paymentId' | 'gift'>,
): Promise<void> {
  if (gift) await sql.query('delete from gift_reservations where payment_id = $1', [paymentId]);
}

const tooMany = (path: string) =>
  new Problem('too-many-gifts', { fields: [{ path, type: 'too-many-gifts' }] });

/** Forgets gifts to an erased address. Orders has its own copy of those that are paid for. */
export async function forgetGiftsTo(tx: Transaction, email: string, at: string): Promise<void> {
  for (const table of ['payments', 'transfers'])
    await tx.query(
      `update ${table} set gift = null where gift ->> 'recipientEmail' = $1 and created_at <= $2`,
      [email.toLowerCase(), at],
    );
  await tx.query('delete from gift_reservations where recipient_email = $1 or buyer_email = $1', [
    email.toLowerCase(),
  ]);
}

/** Remembers which account took a gift: it may buy photo packages for it. */
export async function keepClaim(tx: Transaction, claim: EventData<'gift.claimed'>): Promise<void> {
  await tx.query(
    `insert into gift_claims (order_id, account_id, language) values ($1, $2, $3) on conflict (order_id) do nothing`,
    [claim.orderId, claim.accountId, claim.language],
  );
}

/** @returns the language in which the account took the gift; undefined when it did not */
export async function claimOf(
  sql: Pick<Sql, 'query'>,
  orderId: string,
  accountId: string,
): Promise<{ language: Language } | undefined> {
  const { rows } = await sql.query<{ language: Language }>(
    'select language from gift_claims where order_id = $1 and account_id = $2',
    [orderId, accountId],
  );
  return rows[0];
}

/** Erases an account from the gifts that it took and the photo packages that it bought for them. */
export async function forgetClaims(tx: Transaction, accountId: string): Promise<void> {
  await tx.query('delete from gift_claims where account_id = $1', [accountId]);
  await tx.query('update package_purchases set customer = $2 where recipient_account = $1', [
    accountId,
    JSON.stringify(ERASED_CUSTOMER),
  ]);
}
