import { pageOf } from '@arboleda/chassis/http/cursor.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Api, ApiResponse } from '@arboleda/contracts/api.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { type MailFacts, type MailKind, writeMail } from '../mails/index.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

type Answer = Api['GET /api/admin/mails']['response'];
export type MailView = Answer['mails'][number];

interface MailRow {
  id: string;
  kind: MailKind;
  order_id: string | null;
  recipient_address: string;
  recipient_name: string;
  language: Language;
  queued_at: Date;
  /** To the microsecond, for cursors. */
  queued: string;
  sent_at: Date | null;
  state: MailView['state'];
  attempts: number;
  error: string | null;
  resend_of: string | null;
  failed_at: Date | null;
}

const SELECT = `select m.id, m.kind, m.order_id, m.recipient_address, m.recipient_name, m.language, m.queued_at,
  to_char(m.queued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as queued,
  m.sent_at, m.state, m.attempts, m.error, m.resend_of, a.failed_at
  from mails m left join addresses a on a.address = lower(m.recipient_address)`;

/** All fields are optional. */
type MailFilter = Pick<Api['GET /api/admin/mails']['query'], 'state' | 'q'> & { orderId?: string };

/** A page of emails, newest first. @throws Problem `validation-failed` for an invalid cursor */
export async function listMails(
  sql: Sql,
  filter: MailFilter,
  page: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const values: unknown[] = [];
  const value = (one: unknown) => `$${values.push(one)}`;
  const conditions = [
    ...(filter.orderId === undefined ? [] : [`m.order_id = ${value(filter.orderId)}`]),
    ...(filter.state === undefined ? [] : [`m.state = ${value(filter.state)}`]),
    ...(filter.q ? [matches(filter.q, value)] : []),
    ...(page.cursor === undefined ? [] : [`(m.queued_at, m.id) < (${after(page.cursor, value)})`]),
  ];
  const { rows } = await sql.query<MailRow>(
    `${SELECT} ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by m.queued_at desc, m.id desc limit ${value(page.limit + 1)}`,
    values,
  );
  const { rows: shown, ...next } = pageOf(rows, page.limit, ({ queued, id }) => encodeCursor([queued, id]));
  return { mails: shown.map(mailView), ...next };
}

function after(cursor: string, value: (one: unknown) => string): string {
  const [queued, id] = decodeCursor(cursor);
  return `${value(queued)}::timestamptz, ${value(id)}`;
}

/** Each kind of search uses an index. */
function matches(q: string, value: (one: unknown) => string): string {
  const wanted = q.toLowerCase();
  if (/^[0-9a-f]{24}$/.test(wanted)) return `m.order_id = ${value(wanted)}`;
  const prefix = wanted.replace(/[\\%_]/g, '\\$&');
  const byAddress = `lower(m.recipient_address) like ${value(`${prefix}%`)}`;
  return /^[0-9a-f]{6}$/.test(wanted)
    ? `(right(m.order_id, 6) = ${value(wanted)} or ${byAddress})`
    : byAddress;
}

/** @returns undefined for an unknown email */
export async function readMail(
  sql: Pick<Sql | Transaction, 'query'>,
  id: string,
): Promise<MailView | undefined> {
  const { rows } = await sql.query<MailRow>(`${SELECT} where m.id = $1`, [id]);
  return rows[0] && mailView(rows[0]);
}

/** Stands for a token that the reader must not have. */
const HIDDEN = 'hidden';

/**
 * An email with its text, written again from its facts. It has no token that opens an account.
 * @param withPrivateLinks whether the reader may act as the donor, or as the recipient of a gift
 * @returns undefined for an unknown email
 */
export async function readWrittenMail(
  sql: Sql,
  id: string,
  { siteUrl, withPrivateLinks }: { siteUrl: string; withPrivateLinks: boolean },
): Promise<ApiResponse<'GET /api/admin/mails/{id}'> | undefined> {
  const mail = await readMail(sql, id);
  if (!mail) return undefined;
  const { rows } = await sql.query<{ kind: MailKind; facts: MailFacts[MailKind] }>(
    'select kind, facts from mails where id = $1',
    [id],
  );
  const { kind, facts } = rows[0]!;
  if (isErased(mail.to.address)) return { mail };
  const shown = {
    ...facts,
    ...('expiresAt' in facts && { token: HIDDEN }),
    ...(!withPrivateLinks && 'orderToken' in facts && { orderToken: HIDDEN }),
    ...(!withPrivateLinks && 'giftToken' in facts && { giftToken: HIDDEN }),
  };
  const to = { name: mail.to.name, language: mail.language };
  const { subject, text } = writeMail({ kind, facts: shown, to }, siteUrl);
  return { mail, content: { subject, text } };
}

const mailView = (row: MailRow): MailView => ({
  id: row.id,
  kind: row.kind,
  ...(row.order_id !== null && { orderId: row.order_id }),
  to: { name: row.recipient_name, address: row.recipient_address },
  language: row.language,
  queuedAt: row.queued_at.toISOString(),
  ...(row.sent_at && { sentAt: row.sent_at.toISOString() }),
  state: row.state,
  attempts: row.attempts,
  ...(row.error !== null && { error: row.error }),
  ...(row.failed_at && { addressFailedAt: row.failed_at.toISOString() }),
  ...(row.resend_of !== null && { resendOf: row.resend_of }),
});
