import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { randomUUID } from 'node:crypto';
import { lock } from '../lock.ts';
import { recordReceipt, type WebhookReceipt } from '../receipts.ts';
import type { Refund } from '../refunds/refund.ts';
import type { Refunds } from '../refunds/refunds.ts';
import { insertRefund } from '../refunds/store.ts';
import type { Seen } from '../seen.ts';
import { observeSession, type PackagePurchase, type SessionSighting } from './package-purchase.ts';
import type { SessionProvider } from './provider.ts';
import { currentPurchase, insertPurchase, purchaseNamed, surroundings, updatePurchase } from './store.ts';

/** Brings what Stripe says of a checkout session into the purchase it names: the one way by which purchases settle. */
export type SettleSession = (seen: SessionSighting, receipt?: WebhookReceipt) => Promise<Seen>;

/** What is to be done at Stripe once a decision is committed; what a crash leaves of it the reconciler does. */
interface Errand {
  purchase: PackagePurchase;
  /** Money that goes back by itself. */
  refund?: Refund | undefined;
  /** On sale for the same order, which has its package now. */
  superseded?: PackagePurchase | undefined;
}

export function sessionSettler(parts: {
  sql: Sql;
  provider: SessionProvider;
  refunds: Pick<Refunds, 'send'>;
  clock: () => Date;
  logger: Logger;
  counted: (status: PackagePurchase['status']) => void;
}): SettleSession {
  const { sql, provider, refunds, clock, logger, counted } = parts;

  async function settle(tx: Transaction, seen: SessionSighting): Promise<Errand | 'stranger' | 'known'> {
    const named = seen.purchaseId === undefined ? undefined : await purchaseNamed(tx, seen.purchaseId);
    if (!named) return 'stranger';
    const { orderId, purchaseId } = named;
    await lock(tx, 'packages', orderId);
    const before = (await purchaseNamed(tx, purchaseId))!;
    const decision = observeSession(before, seen, await surroundings(tx, orderId, purchaseId), clock());
    if (!decision) return 'known';
    const { purchase, events } = decision;
    const current = await currentPurchase(tx, orderId);
    const superseded =
      purchase.status === 'active' && current?.purchaseId !== purchaseId ? current : undefined;
    if (superseded) await updatePurchase(tx, { ...superseded, status: 'expired' }, clock());
    await updatePurchase(tx, purchase, clock());
    await tx.publish(events);
    const refund = purchase.status === 'surplus' ? surplusRefund(purchase, clock()) : undefined;
    if (refund) await insertRefund(tx, refund);
    return { purchase, refund, superseded };
  }

  async function run({ refund, superseded }: Errand): Promise<void> {
    const failed = (what: string) => (error: unknown) => logger.warn({ err: error }, `${what} has to wait`);
    if (refund) await refunds.send(refund).catch(failed('giving back what was paid twice'));
    if (superseded?.sessionId !== undefined)
      await provider.expire(superseded.sessionId).catch(failed('ending a checkout session'));
  }

  return async (seen, receipt) => {
    const result = await sql.transaction(async (tx) => {
      if (receipt && !(await recordReceipt(tx, receipt, clock()))) return 'duplicate';
      return settle(tx, seen);
    });
    if (typeof result === 'string') return result;
    const { purchaseId, orderId, status } = result.purchase;
    counted(status);
    const facts = { purchaseId, orderId, sessionId: seen.sessionId, status };
    if (status === 'mismatched') {
      const { amountMinor, currency } = seen;
      logger.error({ ...facts, received: { amountMinor, currency } }, 'paid is not what the package costs');
    } else logger.info(facts, 'package purchase');
    await run(result);
    return 'changed';
  };
}

const surplusRefund = (
  { purchaseId, orderId, amountMinor, currency }: PackagePurchase,
  now: Date,
): Refund => ({
  ...{ refundId: randomUUID(), subject: 'purchase', subjectId: purchaseId, orderId, amountMinor, currency },
  ...{ reason: 'paid beside another package', method: 'stripe', by: { role: 'system' } },
  ...{ status: 'creating', createdAt: now },
});

/** The purchase that is on sale or active for an order; a new one, as it is given, when there is none. */
export const reservePurchase = (
  sql: Sql,
  wanted: PackagePurchase,
): Promise<{ purchase: PackagePurchase; isNew: boolean }> =>
  sql.transaction(async (tx) => {
    await lock(tx, 'packages', wanted.orderId);
    const current = await currentPurchase(tx, wanted.orderId);
    if (current) return { purchase: current, isNew: false };
    await insertPurchase(tx, wanted);
    return { purchase: wanted, isNew: true };
  });

/** Stripe will make no session of it. */
export const failPurchase = (sql: Sql, { orderId, purchaseId }: PackagePurchase, now: Date): Promise<void> =>
  sql.transaction(async (tx) => {
    await lock(tx, 'packages', orderId);
    const latest = await purchaseNamed(tx, purchaseId);
    if (latest?.status === 'creating') await updatePurchase(tx, { ...latest, status: 'failed' }, now);
  });
