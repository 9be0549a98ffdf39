import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { disputedEvent } from '../money-events.ts';
import { followMoney } from '../photo-packages/settle.ts';
import { accountOf } from '../refunds/store.ts';
import { lock, recordReceipt, type Seen, type WebhookReceipt } from '../settling.ts';
import { type Subject, subjectOfIntent } from '../subject.ts';
import { type Dispute, isDisputeNews } from './dispute.ts';

/** Stores Stripe's state of a dispute and publishes each change of status once. */
export type SettleDispute = (seen: Dispute, receipt?: WebhookReceipt) => Promise<Seen>;

export function disputeSettler(parts: {
  sql: Sql;
  clock: () => Date;
  logger: Logger;
  counted: (status: string) => void;
  /** Settles the payment first: the dispute's webhook may arrive before the payment's. */
  settleIntent: (intentId: string) => Promise<void>;
}): SettleDispute {
  const { sql, clock, logger, counted, settleIntent } = parts;

  async function note(tx: Transaction, seen: Dispute, subject: Subject): Promise<boolean> {
    await lock(tx, 'money', subject.id);
    const { rows } = await tx.query<{ status: string; updated_at: Date }>(
      'select status, updated_at from disputes where id = $1',
      [seen.disputeId],
    );
    const [before] = rows;
    if (!isDisputeNews(before?.status, seen.status)) return false;
    // Later than the last event, so consumers of both can order them.
    const now = new Date(Math.max(clock().getTime(), (before?.updated_at.getTime() ?? 0) + 1));
    await tx.query(
      `insert into disputes (id, subject, subject_id, order_id, amount_minor, currency, reason, status, created_at,
         updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (id) do update set amount_minor = $5, reason = $7, status = $8, updated_at = $10`,
      [
        seen.disputeId,
        subject.kind,
        subject.id,
        subject.orderId,
        seen.amountMinor,
        seen.currency,
        seen.reason,
        seen.status,
        seen.createdAt,
        now,
      ],
    );
    if (subject.isOrder) await tx.publish([disputedEvent(seen, subject, now)]);
    await followMoney(tx, subject, await accountOf(tx, subject), now);
    return true;
  }

  return async (seen, receipt) => {
    const find = (reader: Pick<Sql, 'query'>) =>
      seen.intentId === undefined ? undefined : subjectOfIntent(reader, seen.intentId);
    const found = await find(sql);
    if (seen.intentId !== undefined && !found?.isPaid) await settleIntent(seen.intentId);
    const result = await sql.transaction(async (tx): Promise<Seen> => {
      const paymentId = found?.kind === 'payment' ? found.id : undefined;
      if (receipt && !(await recordReceipt(tx, receipt, clock(), paymentId))) return 'duplicate';
      const subject = await find(tx);
      if (!subject) return 'not-ours';
      return (await note(tx, seen, subject)) ? 'changed' : 'known';
    });
    if (result === 'changed') {
      counted(seen.status);
      logger.warn({ disputeId: seen.disputeId, status: seen.status, reason: seen.reason }, 'dispute');
    }
    return result;
  };
}
