import { currentContext } from '@arboleda/chassis/context.ts';
import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { Planter } from '../mails/facts.ts';
import type { MailKind } from '../mails/index.ts';
import { RECEIPTS_OF_PAID } from '../mails/kinds.ts';
import { isForGiftRecipient, mailId, type NewMail, type QueuedMail } from './mail.ts';

export const SEND_MAIL = 'send-mail';

export const sendJob = (id: string): Job => ({ name: SEND_MAIL, payload: { mailId: id }, key: id });

/** Set for a resent email. */
export interface Repetition {
  resendOf: string;
  askedBy: 'customer' | 'admin';
}

/**
 * Queues an email in its cause's transaction; idempotent.
 * @param options.sendAfter the earliest time to send it; `enqueueDelayed` adds its job then
 * @returns its id
 */
export async function queueMail(
  tx: Transaction,
  mail: NewMail,
  { repetition, sendAfter }: { repetition?: Repetition | undefined; sendAfter?: Date | undefined } = {},
): Promise<string> {
  const id = mailId(mail);
  const { rowCount } = await tx.query(
    `insert into mails (id, event_id, kind, recipient_address, recipient_name, language, facts, correlation_id,
       order_id, account_id, resend_of, asked_by, to_gift_recipient, send_after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing`,
    [
      id,
      mail.eventId,
      mail.kind,
      mail.to.address,
      mail.to.name,
      mail.to.language,
      JSON.stringify(mail.facts),
      currentContext().correlationId,
      'orderId' in mail.facts ? mail.facts.orderId : null,
      ('accountId' in mail.facts && mail.facts.accountId) || null,
      repetition?.resendOf ?? null,
      repetition?.askedBy ?? null,
      isForGiftRecipient(mail),
      sendAfter ?? null,
    ],
  );
  if (rowCount === 1 && !sendAfter) await tx.enqueue([sendJob(id)]);
  return id;
}

const ENQUEUED_AT_ONCE = 500;

/** Adds the jobs of delayed emails whose time has come. */
export async function enqueueDelayed(sql: Sql, now: Date): Promise<void> {
  const { rowCount } = await sql.prepared('select from mails where send_after <= $1 limit 1', [now]);
  if (rowCount === 0) return;
  await sql.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `update mails set send_after = null
       where id in (select id from mails where send_after <= $1 order by send_after limit $2 for update skip locked)
       returning id`,
      [now, ENQUEUED_AT_ONCE],
    );
    await tx.enqueue(rows.map(({ id }) => sendJob(id)));
  });
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
  const { rows } = await tx.query<{ id: string }>(
    `update mails set send_after = null, facts = facts || jsonb_build_object('planter', $3::jsonb)
     where order_id = $1 and kind = any($2) and state = 'waiting' and attempts = 0 and resend_of is null
     returning id`,
    [orderId, RECEIPTS_OF_PAID, JSON.stringify(planter)],
  );
  await tx.enqueue(rows.map(({ id }) => sendJob(id)));
  return rows.length > 0;
}

/** Removes the worker from an order's receipt that was not tried yet. */
export async function withdrawFromReceipt(tx: Transaction, orderId: string): Promise<void> {
  await tx.query(
    `update mails set facts = facts - 'planter'
     where order_id = $1 and kind = any($2) and state = 'waiting' and attempts = 0`,
    [orderId, RECEIPTS_OF_PAID],
  );
}

/** `busy`: another process holds the lease, or died with it a moment ago. */
export type Lease = QueuedMail | 'done' | 'busy';

interface LeasedRow {
  event_id: string;
  kind: MailKind;
  recipient_address: string;
  recipient_name: string;
  language: Language;
  facts: NewMail['facts'];
  correlation_id: string;
}

/** Leases an email, so that no two processes send it. */
export async function leaseMail(sql: Sql, id: string, leaseSeconds: number): Promise<Lease> {
  const { rows } = await sql.prepared<LeasedRow>(
    `update mails set leased_until = now() + $2 * interval '1 second', attempts = attempts + 1
     where id = $1 and state = 'waiting' and (leased_until is null or leased_until < now())
     returning event_id, kind, recipient_address, recipient_name, language, facts, correlation_id`,
    [id, leaseSeconds],
  );
  const row = rows[0];
  if (!row) return (await isWaiting(sql, id)) ? 'busy' : 'done';
  const to = { address: row.recipient_address, name: row.recipient_name, language: row.language };
  const { event_id: eventId, kind, facts, correlation_id: correlationId } = row;
  return { id, eventId, kind, to, facts, correlationId } as QueuedMail;
}

/** Extends the lease while the email is being sent. */
export async function renewLease(sql: Sql, id: string, leaseSeconds: number): Promise<void> {
  await sql.prepared(
    `update mails set leased_until = now() + $2 * interval '1 second'
     where id = $1 and state = 'waiting' and leased_until is not null`,
    [id, leaseSeconds],
  );
}

async function isWaiting(sql: Sql, id: string): Promise<boolean> {
  const { rowCount } = await sql.prepared(`select from mails where id = $1 and state = 'waiting'`, [id]);
  return rowCount === 1;
}

/** Returns an email for a retry. @param error the mail server's answer */
export async function releaseMail(sql: Sql, id: string, error: string): Promise<void> {
  await sql.query('update mails set leased_until = null, error = $2 where id = $1', [
    id,
    error.slice(0, 1000),
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

/** Emails that have waited longer than their job retries. */
export async function overdueMails(sql: Sql, before: Date): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `select id from mails where sent_at is null and dropped_at is null and queued_at < $1
     order by queued_at limit 1000`,
    [before],
  );
  return rows.map((row) => row.id);
}

export async function countByState(sql: Sql, since: Date): Promise<Record<string, number>> {
  const { rows } = await sql.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from mails where queued_at >= $1 group by state',
    [since],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
