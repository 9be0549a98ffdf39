import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { followMoney } from '../photo-packages/settle.ts';
import { accountOf } from '../money/store.ts';
import { lock, recordReceipt, type Seen, type WebhookReceipt } from '../settling.ts';
import { type Subject, subjectOfIntent } from '../money/subject.ts';
import { decideDispute } from '../money/dispute-decision.ts';
import { type Dispute, disputes } from '../money/dispute.ts';

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
    const before = await disputes.get(tx, seen.disputeId);
    const decision = decideDispute(seen, before, subject, clock());
    if (!decision) return false;
    const { at, events } = decision;
    await disputes.change(tx, seen.disputeId, () => ({
      ...seen,
      subject: subject.kind,
      subjectId: subject.id,
      orderId: subject.orderId,
      updatedAt: at,
    }));
    await tx.publish(events);
    await followMoney(tx, subject, await accountOf(tx, subject), at);
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
