import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Worker } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { randomUUID } from 'node:crypto';
import { claimedGift } from '../copies/gifts.ts';
import { orderCopies } from '../copies/orders.ts';
import type { MailKind } from '../mails/index.ts';
import { isForDonor, RECEIPT_KINDS } from '../mails/kinds.ts';
import { isForGiftRecipient, isRepeatable, type NewMail } from './mail.ts';
import { hurryMail, queueMail } from './mail-store.ts';

/** Limit per order and donor. */
const MOST_AN_HOUR = 3;

interface Original {
  id: string;
  kind: MailKind;
  order_id: string | null;
  recipient_address: string;
  recipient_name: string;
  language: Language;
  facts: NewMail['facts'];
  state: string;
}

/**
 * Resends an email as a new one; a donor's goes to the order's current address. A queued email is tried at
 * once instead, so a double click sends one.
 * @returns the id of the email that will be sent
 * @throws Problem not-found, mail-not-repeatable
 */
export async function resendMail(sql: Sql, mailId: string, key: string | undefined): Promise<string> {
  return sql.transaction(async (tx) => {
    const { rows } = await tx.query<Original>('select * from mails where id = $1 for update', [mailId]);
    if (!rows[0]) throw new Problem('not-found');
    const { kind, order_id: orderId } = rows[0];
    const { id, changed } = await repeat(tx, rows[0], 'admin', key);
    if (changed) {
      await tx.audit({
        object: { type: 'mail', id: mailId },
        ...(orderId !== null && { orderId }),
        after: { mailKind: kind },
      });
    }
    return id;
  });
}

/**
 * Resends the latest receipt of an order to its donor.
 * @param email the donor's verified address; orders of others are not found
 * @throws Problem not-found, too-many-requests
 */
export async function resendReceipt(
  sql: Sql,
  orderId: string,
  email: string,
  key: string | undefined,
): Promise<void> {
  await sql.transaction(async (tx) => {
    const order = await orderCopies.lock(tx, orderId);
    if (order?.to.address.toLowerCase() !== email.toLowerCase()) throw new Problem('not-found');
    const { rows } = await tx.query<Original>(
      `select * from mails where order_id = $1 and kind = any($2) and state <> 'pointless' and resend_of is null
       order by queued_at desc, id desc limit 1`,
      [orderId, RECEIPT_KINDS],
    );
    if (!rows[0]) throw new Problem('not-found');
    await repeat(tx, rows[0], 'customer', key);
    await countRepetitions(tx, orderId);
  });
}

/** @throws Problem too-many-requests when the email just added exceeds the limit; the transaction rolls back */
async function countRepetitions(tx: Transaction, orderId: string): Promise<void> {
  const { rows } = await tx.query<{ count: number; wait: number }>(
    `select count(*)::int as count,
       ceil(extract(epoch from min(queued_at) + interval '1 hour' - now()))::int as wait
     from mails where order_id = $1 and asked_by = 'customer' and queued_at > now() - interval '1 hour'`,
    [orderId],
  );
  const { count, wait } = rows[0]!;
  if (count > MOST_AN_HOUR) throw new Problem('too-many-requests', { retryAfterSeconds: Math.max(1, wait) });
}

async function repeat(
  tx: Transaction,
  original: Original,
  askedBy: 'customer' | 'admin',
  key: string | undefined,
): Promise<{ id: string; changed: boolean }> {
  const { id, kind, facts } = original;
  const { recipient_address: address, recipient_name: name, language } = original;
  const first = { kind, facts, to: { address, name, language } } as NewMail;
  if (original.state === 'waiting') {
    await hurryMail(tx, id);
    return { id, changed: true };
  }
  if (!isRepeatable(first)) throw new Problem('mail-not-repeatable');
  const waiting = await tx.query<{ id: string }>(
    `select id from mails where resend_of = $1 and state = 'waiting' limit 1`,
    [id],
  );
  if (waiting.rows[0]) return { id: waiting.rows[0].id, changed: false };
  const toGiftRecipient = isForGiftRecipient(first);
  const orderId = isForDonor(kind) ? original.order_id : null;
  const order = orderId !== null && !toGiftRecipient ? await orderCopies.lock(tx, orderId) : undefined;
  const gift = orderId !== null && toGiftRecipient ? await claimedGift(tx, orderId) : undefined;
  const again = {
    ...first,
    facts: withPresentPlanter(first, order?.planter),
    to: order?.to ?? gift?.to ?? first.to,
    eventId: `resend:${id}:${key ?? randomUUID()}`,
  };
  if (!isRepeatable(again)) throw new Problem('mail-not-repeatable');
  return {
    id: await queueMail(tx, again as NewMail, { repetition: { resendOf: id, askedBy } }),
    changed: true,
  };
}

/** A receipt may name a worker who has lost the order since; resent, it names the present one, if any. */
function withPresentPlanter(mail: NewMail, planter: Worker | undefined): NewMail['facts'] {
  if (mail.kind !== 'receipt' && mail.kind !== 'transfer-approved') return mail.facts;
  const { planter: former, ...facts } = mail.facts;
  return former && planter ? { ...facts, planter: { name: planter.name, region: planter.region } } : facts;
}
