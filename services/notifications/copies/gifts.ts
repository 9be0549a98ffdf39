import { lockedRecords } from '@arboleda/chassis/locked-records.ts';
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
  /** Number of the recipient's link, and its token. */
  link: number;
  token: string;
  deliverAt: Date;
  /** When the buyer gave this address. */
  addressedAt: Date;
  mailId: string | null;
  /** The account that took the gift, and where it gets updates. */
  claim: (Recipient & { accountId: string; at: Date }) | undefined;
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
  link: number;
  token: string;
  deliver_at: Date;
  addressed_at: Date;
  mail_id: string | null;
  account_id: string | null;
  claimed_name: string | null;
  claimed_email: string | null;
  claimed_language: Language | null;
  claimed_at: Date | null;
  purchases: readonly string[];
}

export const gifts = lockedRecords<GiftCopy, GiftRow>({
  table: 'gifts',
  key: 'order_id',
  columns: [
    'revision',
    'event_id',
    'state',
    'recipient_name',
    'recipient_email',
    'language',
    'message',
    'card',
    'from_name',
    'trees',
    'link',
    'token',
    'deliver_at',
    'addressed_at',
    'mail_id',
    'account_id',
    'claimed_name',
    'claimed_email',
    'claimed_language',
    'claimed_at',
    'purchases',
  ],
  toRow: ({ claim, ...gift }) => ({
    order_id: gift.orderId,
    revision: gift.revision,
    event_id: gift.eventId,
    state: gift.state,
    recipient_name: gift.recipientName,
    recipient_email: gift.recipientEmail,
    language: gift.language,
    message: gift.message,
    card: gift.card,
    from_name: gift.from,
    trees: gift.trees,
    link: gift.link,
    token: gift.token,
    deliver_at: gift.deliverAt,
    addressed_at: gift.addressedAt,
    mail_id: gift.mailId,
    account_id: claim?.accountId ?? null,
    claimed_name: claim?.name ?? null,
    claimed_email: claim?.address ?? null,
    claimed_language: claim?.language ?? null,
    claimed_at: claim?.at ?? null,
    purchases: gift.purchases,
  }),
  fromRow: (row) => ({
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
    link: row.link,
    token: row.token,
    deliverAt: row.deliver_at,
    addressedAt: row.addressed_at,
    mailId: row.mail_id,
    claim:
      row.account_id === null
        ? undefined
        : {
            accountId: row.account_id,
            address: row.claimed_email!,
            name: row.claimed_name!,
            language: row.claimed_language!,
            at: row.claimed_at!,
          },
    purchases: row.purchases,
  }),
});

/** Locks the gift. @throws an Error when gift.scheduled has not arrived yet: topics are not ordered, so the event is retried */
export async function requireGift(tx: Transaction, orderId: string): Promise<GiftCopy> {
  const gift = await gifts.lock(tx, orderId);
  if (!gift) throw new Error(`the gift of order ${orderId} is not known yet`);
  return gift;
}

/**
 * Stores a revision; older ones are ignored.
 * @param token of its link. A link that is known keeps its token, so that a change of the secret breaks none
 */
export const keepGift = (
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
): Promise<GiftCopy | undefined> =>
  gifts.change(tx, orderId, (known) =>
    known && known.revision >= revision
      ? undefined
      : {
          orderId,
          revision,
          eventId,
          state,
          recipientName: gift.recipientName,
          recipientEmail: gift.recipientEmail,
          language: gift.language,
          message: gift.message,
          card: gift.card,
          from: from ?? null,
          trees,
          link,
          token: known?.link === link ? known.token : token,
          deliverAt: new Date(deliverAt),
          addressedAt: new Date(addressedAt),
          mailId: state === 'waiting' ? null : (known?.mailId ?? null),
          claim: known?.claim,
          purchases: known?.purchases ?? [],
        },
  );

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

/** The gift that an email delivers, in one of some states; locked. @returns undefined when the gift has changed */
export const giftOfMail = async (
  tx: Transaction,
  mailId: string,
  states: readonly GiftCopyState[],
): Promise<GiftCopy | undefined> =>
  (await gifts.lockAll(tx, 'mail_id = $1 and state = any($2)', [mailId, states]))[0];

/** Gifts to an address that were not delivered yet; locked. */
export const undeliveredTo = (tx: Transaction, address: string): Promise<GiftCopy[]> =>
  gifts.lockAll(tx, `recipient_email = $1 and state in ('waiting', 'queued')`, [address]);

/** Orders with gifts whose moment has passed, because their job was lost or gave up. */
export async function dueGifts(sql: Sql, now: Date): Promise<Pick<GiftCopy, 'orderId' | 'revision'>[]> {
  const { rows } = await sql.query<{ order_id: string; revision: number }>(
    `select order_id, revision from gifts where state = 'waiting' and deliver_at < $1 order by deliver_at limit 1000`,
    [now],
  );
  return rows.map((row) => ({ orderId: row.order_id, revision: row.revision }));
}

/** The account that claimed an order's trees and gets updates, unless it declined all emails. */
export async function claimedGift(
  tx: Transaction,
  orderId: string,
): Promise<{ token: string; to: Recipient } | undefined> {
  const gift = await gifts.find(
    tx,
    'order_id = $1 and account_id is not null and (declined_at is null or declined_at < claimed_at)',
    [orderId],
  );
  return gift?.claim && { token: gift.token, to: gift.claim };
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
