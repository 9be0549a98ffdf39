import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { ACCOUNT_KINDS, DONOR_KINDS } from '../mails/kinds.ts';
import type { Recipient } from '../queue/mail.ts';

/** Keeps the fact that an email was sent; erases recipient and content, and cancels it if it is still queued. */
const ERASE = `update mails set recipient_address = '${ERASED_CUSTOMER.email}', recipient_name = '${ERASED_CUSTOMER.name}',
  facts = '{}', error = null,
  dropped_at = case when state = 'waiting' then now() else dropped_at end,
  dropped_because = case when state = 'waiting' then 'pointless' else dropped_because end`;

/** Erases the donor from emails about their order. Emails to workers contain no donor data. */
export async function eraseOrderMails(tx: Transaction, orderId: string): Promise<void> {
  await tx.query(`${ERASE} where order_id = $1 and kind = any($2) and not to_gift_recipient`, [
    orderId,
    DONOR_KINDS,
  ]);
}

/** Erases the donor from their gift, which stays its recipient's. */
export async function eraseGiftBuyer(tx: Transaction, orderId: string): Promise<void> {
  await tx.query('update gifts set from_name = null where order_id = $1', [orderId]);
  await tx.query(`update mails set facts = facts - 'from' where order_id = $1 and kind = 'gift'`, [orderId]);
}

/**
 * Erases the recipient of gifts, by the account that has them or by the address they were for, and cancels those that were
 * not delivered yet. A gift that another account has loses only name and address.
 */
export async function eraseGiftRecipient(
  tx: Transaction,
  { accountId, email, ordersToo, at }: EventData<'customer.erased'>,
): Promise<void> {
  const address = ordersToo ? email.toLowerCase() : null;
  const { rows } = await tx.query<{ order_id: string; whole: boolean }>(
    `update gifts set recipient_name = null, recipient_email = null, message = null,
       state = case when state in ('waiting', 'queued') then 'cancelled' else state end
     where account_id = $1 or (recipient_email = $2 and addressed_at <= $3)
     returning order_id, account_id is null or account_id = $1 as whole`,
    [accountId, address, at],
  );
  const ids = rows.map(({ order_id }) => order_id);
  const whole = rows.filter((row) => row.whole).map(({ order_id }) => order_id);
  await tx.query(
    `update gifts set account_id = null, claimed_name = null, claimed_email = null, claimed_language = null
     where order_id = any($1)`,
    [whole],
  );
  await tx.query(
    `${ERASE} where to_gift_recipient
       and (order_id = any($1) or (order_id = any($2) and lower(recipient_address) = $3))`,
    [whole, ids, address],
  );
  // Emails to their buyers name the recipient.
  await tx.query(
    `update mails set facts = facts - 'gift' where order_id = any($1) and not to_gift_recipient`,
    [ids],
  );
}

/** Erases emails about an account, also to former addresses, and records the erasure for later events. */
export async function eraseAccount(tx: Transaction, accountId: string, address: string): Promise<void> {
  await tx.query('insert into erased_accounts (id) values ($1) on conflict do nothing', [accountId]);
  await tx.query(
    `${ERASE} where account_id = $1
       or (account_id is null and lower(recipient_address) = lower($2) and kind = any($3))`,
    [accountId, address, ACCOUNT_KINDS],
  );
}

/** Erases recipients and contents of emails queued before then. @returns how many */
export async function eraseOldMails(sql: Sql, before: Date, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `${ERASE} where id in (
       select id from mails where queued_at < $1 and recipient_address <> '${ERASED_CUSTOMER.email}'
       order by queued_at limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

export async function isAccountErased(tx: Transaction, accountId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select from erased_accounts where id = $1', [accountId]);
  return rowCount === 1;
}

/** Redirects queued emails about an order to its donor's current address. */
export async function redirectMails(tx: Transaction, orderId: string, to: Recipient): Promise<void> {
  await tx.query(
    `update mails set recipient_address = $3, recipient_name = $4, language = $5
     where order_id = $1 and kind = any($2) and not to_gift_recipient and state = 'waiting'`,
    [orderId, DONOR_KINDS, to.address, to.name, to.language],
  );
}
