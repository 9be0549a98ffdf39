import { type Context, currentContext } from '@arboleda/chassis/context.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { currentTraceparent } from '@arboleda/chassis/telemetry/trace.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Planter } from '../mails/facts.ts';
import type { MailKind } from '../mails/index.ts';
import { RECEIPTS_OF_PAID } from '../mails/kinds.ts';
import { isForGiftRecipient, mailId, type NewMail, type QueuedMail } from './mail.ts';

/** The signal of transactions after which some email is due. */
export const MAIL_DUE = 'mail due';

/** Set for a resent email. */
export interface Repetition {
  resendOf: string;
  askedBy: 'customer' | 'admin';
}

interface Queueing {
  repetition?: Repetition | undefined;
  /** The earliest time to send it; a waiting one is found then. */
  sendAfter?: Date | undefined;
}

/** Queues emails in their cause's transaction; idempotent. */
export async function queueMails(
  tx: Transaction,
  mails: readonly NewMail[],
  { repetition, sendAfter }: Queueing = {},
): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map((mail) => ({
    id: mailId(mail),
    event_id: mail.eventId,
    kind: mail.kind,
    recipient_address: mail.to.address,
    recipient_name: mail.to.name,
    language: mail.to.language,
    facts: mail.facts,
    correlation_id: currentContext().correlationId,
    order_id: 'orderId' in mail.facts ? mail.facts.orderId : null,
    account_id: ('accountId' in mail.facts && mail.facts.accountId) || null,
    resend_of: repetition?.resendOf,
    asked_by: repetition?.askedBy,
    to_gift_recipient: isForGiftRecipient(mail),
    send_after: sendAfter,
    traceparent: currentTraceparent(),
  }));
  const { rowCount } = await tx.query(
    `insert into mails (${QUEUED}) select ${QUEUED} from jsonb_populate_recordset(null::mails, $1::jsonb)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
  if (rowCount! > 0 && !sendAfter) tx.signal(MAIL_DUE);
}

const QUEUED = `id, event_id, kind, recipient_address, recipient_name, language, facts, correlation_id, order_id,
  account_id, resend_of, asked_by, to_gift_recipient, send_after, traceparent`;

/** @returns its id */
export async function queueMail(tx: Transaction, mail: NewMail, how?: Queueing): Promise<string> {
  await queueMails(tx, [mail], how);
  return mailId(mail);
}

/** Makes a waiting email due at once. */
export async function hurryMail(tx: Transaction, id: string): Promise<void> {
  await tx.query('update mails set send_after = null where id = $1', [id]);
  tx.signal(MAIL_DUE);
}

/** Whether an email of this kind about an order was queued before. */
export async function wasQueued(tx: Transaction, orderId: string, kind: MailKind): Promise<boolean> {
  const { rowCount } = await tx.query('select from mails where order_id = $1 and kind = $2 limit 1', [
    orderId,
    kind,
  ]);
  return rowCount === 1;
}

/**
 * Adds the worker to an order's receipt that was not tried yet, and sends it now.
 * @returns false when there is none, so that the worker needs an email of its own
 */
export async function announceInReceipt(
  tx: Transaction,
  orderId: string,
  planter: Planter,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update mails set send_after = null, facts = facts || jsonb_build_object('planter', $3::jsonb)
     where order_id = $1 and kind = any($2) and state = 'waiting' and attempts = 0 and resend_of is null`,
    [orderId, RECEIPTS_OF_PAID, JSON.stringify(planter)],
  );
  if (rowCount === 0) return false;
  tx.signal(MAIL_DUE);
  return true;
}

/** Removes the worker from an order's receipt that was not tried yet. */
export async function withdrawFromReceipt(tx: Transaction, orderId: string): Promise<void> {
  await tx.query(
    `update mails set facts = facts - 'planter'
     where order_id = $1 and kind = any($2) and state = 'waiting' and attempts = 0`,
    [orderId, RECEIPTS_OF_PAID],
  );
}

/** An email that this process alone sends while its lease lasts. */
export type LeasedMail = QueuedMail & { tries: number; context: Context };

interface LeasedRow {
  id: string;
  event_id: string;
  kind: MailKind;
  recipient_address: string;
  recipient_name: string;
  language: Language;
  facts: NewMail['facts'];
  correlation_id: string;
  order_id: string | null;
  traceparent: string | null;
  attempts: number;
}

/** Leases emails that are due, longest due first. */
export async function takeDueMails(
  sql: Sql,
  { now, most, leaseSeconds }: { now: Date; most: number; leaseSeconds: number },
): Promise<LeasedMail[]> {
  const { rows } = await sql.prepared<LeasedRow>(
    `update mails set leased_until = now() + $3 * interval '1 second', attempts = attempts + 1
     where id = any(array(
       select id from mails
       where sent_at is null and dropped_at is null and coalesce(send_after, timestamptz '-infinity') <= $1
         and (leased_until is null or leased_until < now())
       order by coalesce(send_after, timestamptz '-infinity') limit $2 for update skip locked))
     returning id, event_id, kind, recipient_address, recipient_name, language, facts, correlation_id, order_id,
       traceparent, attempts`,
    [now, most, leaseSeconds],
  );
  return rows.map(({ id, event_id: eventId, kind, facts, correlation_id: correlationId, ...row }) => ({
    ...({
      id,
      eventId,
      kind,
      to: { address: row.recipient_address, name: row.recipient_name, language: row.language },
      facts,
      correlationId,
    } as QueuedMail),
    tries: row.attempts,
    context: {
      correlationId,
      ...(row.traceparent !== null && { traceparent: row.traceparent }),
      ...(row.order_id !== null && { orderId: row.order_id }),
    },
  }));
}

/** Extends the lease while the email is being sent. */
export async function renewLease(sql: Sql, id: string, leaseSeconds: number): Promise<void> {
  await sql.prepared(
    `update mails set leased_until = now() + $2 * interval '1 second'
     where id = $1 and state = 'waiting' and leased_until is not null`,
    [id, leaseSeconds],
  );
}

/**
 * Returns an email for a later try.
 * @param error the mail server's answer @param again when
 */
export async function releaseMail(sql: Sql, id: string, error: string, again: Date): Promise<void> {
  await sql.query('update mails set leased_until = null, error = $2, send_after = $3 where id = $1', [
    id,
    error.slice(0, 1000),
    again,
  ]);
}

/** Deletes the token of a link, which is not needed any more. */
const MARK_SENT = `update mails set sent_at = now(), leased_until = null, error = null, facts = facts - 'token'
  where id = $1`;

export async function markSent(sql: Sql, id: string): Promise<void> {
  await sql.write({ steps: `written as (${MARK_SENT} returning id)`, values: [id] });
}

/** The same, with what follows from it. */
export async function markSentIn(tx: Transaction, id: string): Promise<void> {
  await tx.query(MARK_SENT, [id]);
}

export async function dropMail(
  sql: Pick<Sql, 'query'>,
  id: string,
  reason: 'refused' | 'pointless',
  error: string,
): Promise<void> {
  await sql.query(
    `update mails set dropped_at = now(), dropped_because = $2, error = $3, leased_until = null, facts = facts - 'token'
     where id = $1`,
    [id, reason, error.slice(0, 1000)],
  );
}

/** Cancels queued emails of some kinds about an order. */
export async function dropWaiting(
  tx: Transaction,
  orderId: string,
  kinds: readonly MailKind[],
  error: string,
): Promise<void> {
  await tx.query(
    `update mails set dropped_at = now(), dropped_because = 'pointless', error = $3
     where order_id = $1 and kind = any($2) and state = 'waiting'`,
    [orderId, kinds, error],
  );
}

/** Cancels an email, unless its server has accepted it. */
export async function dropUnsent(tx: Transaction, id: string, error: string): Promise<void> {
  await tx.query(
    `update mails set dropped_at = now(), dropped_because = 'pointless', error = $2
     where id = $1 and state = 'waiting'`,
    [id, error],
  );
}

/** Cancels an email that was not tried. @returns false when its server may have it */
export async function dropUntried(tx: Transaction, id: string, error: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update mails set dropped_at = now(), dropped_because = 'pointless', error = $2
     where id = $1 and state = 'waiting' and attempts = 0`,
    [id, error],
  );
  return rowCount === 1;
}

/** Emails that are due, or failed and will be tried again. */
export async function countWaiting(sql: Sql, now: Date): Promise<number> {
  const { rows } = await sql.prepared<{ n: number }>(
    `select count(*)::int as n from mails where sent_at is null and dropped_at is null
       and (attempts > 0 or coalesce(send_after, timestamptz '-infinity') <= $1)`,
    [now],
  );
  return rows[0]!.n;
}

export async function countByState(sql: Sql, since: Date): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from mails where queued_at >= $1 group by state',
    [since],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
