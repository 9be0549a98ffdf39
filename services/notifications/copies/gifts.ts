import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { GiftCard } from '@arboleda/contracts/gift.ts';
import { mailboxOf } from '@arboleda/contracts/mailbox.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Recipient } from '../queue/mail.ts';

/**
 * `waiting`: for its moment. `queued`: its email is. `delivered`: a mail server accepted it, or its buyer hands it over and
 * the day came. `refused`: the address wants no gifts.
 */
export type GiftCopyState = 'waiting' | 'queued' | 'delivered' | 'bounced' | 'refused' | 'cancelled';

/** The newest gift.scheduled or gift.cancelled of an order, with its delivery and its claim. */
export interface GiftCopy {
  orderId: string;
  revision: number;
  eventId: string;
  state: GiftCopyState;
  /** Null once erased or cancelled. */
  recipientName: string | null;
  /** Null also when the buyer hands it over. */
  recipientEmail: string | null;
  language: Language;
  message: string | null;
  card: GiftCard;
  /** Null once the buyer is erased. */
  from: string | null;
  trees: number;
  token: string;
  deliverAt: Date;
  mailId: string | null;
  claim: Recipient | undefined;
  /** Photo packages that the recipient paid for. */
  purchases: readonly string[];
}

interface GiftRow {
  order_id: string;
  revision: number;
  event_id: string;
  state: GiftCopyState;
  recipient_name: string | null;
  recipient_email: string | null;
  language: Language;
  message: string | null;
  card: GiftCard;
  from_name: string | null;
  trees: number;
  token: string;
  deliver_at: Date;
  mail_id: string | null;
  account_id: string | null;
  claimed_name: string;
  claimed_email: string;
  claimed_language: Language;
  purchases: string[];
}

const COLUMNS = `order_id, revision, event_id, state, recipient_name, recipient_email, language, message, card, from_name,
  trees, token, deliver_at, mail_id, account_id, claimed_name, claimed_email, claimed_language, purchases`;

const readGift = (row: GiftRow): GiftCopy => ({
  orderId: row.order_id,
  revision: row.revision,
  eventId: row.event_id,
  state: row.state,
  recipientName: row.recipient_name,
  recipientEmail: row.recipient_email,
  language: row.language,
  message: row.message,
  card: row.card,
  from: row.from_name,
  trees: row.trees,
  token: row.token,
  deliverAt: row.deliver_at,
  mailId: row.mail_id,
  claim:
    row.account_id === null
      ? undefined
      : { address: row.claimed_email, name: row.claimed_name, language: row.claimed_language },
  purchases: row.purchases,
});

/** Locks the gift until the transaction ends. @returns undefined without one */
export async function findGift(tx: Transaction, orderId: string): Promise<GiftCopy | undefined> {
  const { rows } = await tx.query<GiftRow>(`select ${COLUMNS} from gifts where order_id = $1 for update`, [
    orderId,
  ]);
  return rows[0] && readGift(rows[0]);
}

/** @throws an Error when gift.scheduled has not arrived yet; topics are not ordered, so the event is retried */
export async function requireGift(tx: Transaction, orderId: string): Promise<GiftCopy> {
  const gift = await findGift(tx, orderId);
  if (!gift) throw new Error(`the gift of order ${orderId} is not known yet`);
  return gift;
}

/**
 * Stores a revision; older ones are ignored.
 * @param token of its link. A link that is known keeps its token, so that a change of the secret breaks none
 */
export async function keepGift(
  tx: Transaction,
  {
    orderId,
    revision,
    gift,
    from,
    trees,
    link,
    deliverAt,
    at,
    addressedAt = at,
  }: EventData<'gift.scheduled'>,
  { eventId, state, token }: { eventId: string; state: GiftCopyState; token: string },
): Promise<void> {
  await tx.query(
    `insert into gifts as known (order_id, revision, event_id, state, recipient_name, recipient_email, language, message,
       card, from_name, trees, link, token, deliver_at, addressed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (order_id) do update set revision = excluded.revision, event_id = excluded.event_id,
       state = excluded.state, recipient_name = excluded.recipient_name, recipient_email = excluded.recipient_email,
       language = excluded.language, message = excluded.message, card = excluded.card, from_name = excluded.from_name,
       trees = excluded.trees, link = excluded.link,
       token = case when known.link = excluded.link then known.token else excluded.token end, deliver_at = excluded.deliver_at,
       addressed_at = excluded.addressed_at,
       mail_id = case when excluded.state = 'waiting' then null else known.mail_id end
     where known.revision < excluded.revision`,
    [
      orderId,
      revision,
      eventId,
      state,
      gift.recipientName,
      gift.recipientEmail,
      gift.language,
      gift.message,
      gift.card,
      from ?? null,
      trees,
      link,
      token,
      deliverAt,
      addressedAt,
    ],
  );
}

/** Stores a cancellation, perhaps of a gift that is not known yet, and erases to whom it was. */
export async function cancelGift(
  tx: Transaction,
  { orderId, revision }: { orderId: string; revision: number },
): Promise<void> {
  await tx.query(
    `insert into gifts as known (order_id, revision, state) values ($1, $2, 'cancelled')
     on conflict (order_id) do update set revision = excluded.revision, state = 'cancelled', recipient_name = null,
       recipient_email = null, message = null
     where known.revision <= excluded.revision`,
    [orderId, revision],
  );
}

/** Deletes the message: another attempt brings it again. */
export async function setGiftState(
  tx: Transaction,
  orderId: string,
  state: 'delivered' | 'refused',
): Promise<void> {
  await tx.query('update gifts set state = $2, message = null where order_id = $1', [orderId, state]);
}

/** Deletes the message: the email has it now. */
export async function markQueued(tx: Transaction, orderId: string, mailId: string): Promise<void> {
  await tx.query(`update gifts set state = 'queued', mail_id = $2, message = null where order_id = $1`, [
    orderId,
    mailId,
  ]);
}

/** Changes the gift that an email delivers, in one of some states. @returns undefined when the gift has changed */
export async function settleGift(
  tx: Transaction,
  mailId: string,
  from: readonly GiftCopyState[],
  to: GiftCopyState,
): Promise<GiftCopy | undefined> {
  const { rows } = await tx.query<GiftRow>(
    `update gifts set state = $3 where mail_id = $1 and state = any($2) returning ${COLUMNS}`,
    [mailId, from, to],
  );
  return rows[0] && readGift(rows[0]);
}

/** Gifts to an address that were not delivered yet; locked until the transaction ends. */
export async function undeliveredTo(tx: Transaction, address: string): Promise<GiftCopy[]> {
  const { rows } = await tx.query<GiftRow>(
    `select ${COLUMNS} from gifts where recipient_email = $1 and state in ('waiting', 'queued') order by order_id for update`,
    [address],
  );
  return rows.map(readGift);
}

/** Orders with gifts whose moment has passed, because their job was lost or gave up. */
export async function dueGifts(sql: Sql, now: Date): Promise<Pick<GiftCopy, 'orderId' | 'revision'>[]> {
  const { rows } = await sql.query<{ order_id: string; revision: number }>(
    `select order_id, revision from gifts where state = 'waiting' and deliver_at < $1 order by deliver_at limit 1000`,
    [now],
  );
  return rows.map((row) => ({ orderId: row.order_id, revision: row.revision }));
}

export async function keepClaim(
  tx: Transaction,
  { orderId, accountId, name, email, language, at }: EventData<'gift.claimed'>,
): Promise<void> {
  await tx.query(
    `update gifts set account_id = $2, claimed_name = $3, claimed_email = $4, claimed_language = $5, claimed_at = $6
     where order_id = $1`,
    [orderId, accountId, name, email, language, at],
  );
}

/** The account that claimed an order's trees and gets updates, unless it declined all emails. */
export async function claimedGift(
  tx: Transaction,
  orderId: string,
): Promise<{ token: string; to: Recipient } | undefined> {
  const { rows } = await tx.query<GiftRow>(
    `select ${COLUMNS} from gifts
     where order_id = $1 and account_id is not null and (declined_at is null or declined_at < claimed_at)`,
    [orderId],
  );
  const gift = rows[0] && readGift(rows[0]);
  return gift?.claim && { token: gift.token, to: gift.claim };
}

export async function keepPurchase(tx: Transaction, orderId: string, purchaseId: string): Promise<void> {
  await tx.query('update gifts set purchases = purchases || $2::text where order_id = $1', [
    orderId,
    purchaseId,
  ]);
}

/** An account has another address now. */
export async function moveClaims(tx: Transaction, accountId: string, to: string): Promise<void> {
  await tx.query('update gifts set claimed_email = $2 where account_id = $1', [accountId, to]);
  await tx.query(
    `update mails set recipient_address = $2
     where to_gift_recipient and kind <> 'gift' and state = 'waiting'
       and order_id in (select order_id from gifts where account_id = $1)`,
    [accountId, to],
  );
}

/** Hashes an address, so that it can be recognised and not read. */
export type AddressHash = (address: string) => string;

/** Facts about an address, which is kept only as a hash, so that a refusal outlasts an erasure. */
export interface KnownAddress {
  declinedAt: Date | undefined;
  erasedAt: Date | undefined;
}

/** A refusal counts for every spelling of its mailbox, an erasure for its address. */
export async function knownAddress(
  tx: Transaction,
  address: string,
  hash: AddressHash,
): Promise<KnownAddress> {
  const exact = hash(address);
  const { rows } = await tx.query<{ hash: string; declined_at: Date | null; erased_at: Date | null }>(
    'select hash, declined_at, erased_at from gift_addresses where hash = any($1)',
    [[exact, hash(mailboxOf(address))]],
  );
  return {
    declinedAt: rows.find((row) => row.declined_at)?.declined_at ?? undefined,
    erasedAt: rows.find((row) => row.hash === exact)?.erased_at ?? undefined,
  };
}

/** No more gifts to an address, and no more updates to its owner about those it has. */
export async function declineGifts(
  tx: Transaction,
  address: string,
  hash: AddressHash,
  at: string,
): Promise<void> {
  await tx.query(
    `insert into gift_addresses (hash, declined_at) select distinct *, $2::timestamptz from unnest($1::text[])
     on conflict (hash) do update set declined_at = excluded.declined_at`,
    [[hash(address), hash(mailboxOf(address))], at],
  );
  await tx.query(
    'update gifts set declined_at = $2 where recipient_email = $1 or lower(claimed_email) = $1',
    [address, at],
  );
}

export async function keepErasedAddress(tx: Transaction, hash: string, at: string): Promise<void> {
  await tx.query(
    `insert into gift_addresses (hash, erased_at) values ($1, $2)
     on conflict (hash) do update set erased_at = greatest(gift_addresses.erased_at, excluded.erased_at)`,
    [hash, at],
  );
}

/** Key of the hashes of addresses. It is in the database, because a refusal must outlast all secrets. */
export async function readHashKey(sql: Sql): Promise<string> {
  const { rows } = await sql.query<{ key: string }>('select key from hash_key');
  return rows[0]!.key;
}
