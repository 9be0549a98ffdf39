import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { randomUUID } from 'node:crypto';
import { refundOfRest } from '../money/refund-decisions.ts';
import { type Account, isGivenBack, type Refund } from '../money/refund.ts';
import { accountOf, refunds } from '../money/store.ts';
import { lock, recordReceipt, type Seen, type WebhookReceipt } from '../settling.ts';
import { type Subject, subjectNamed } from '../money/subject.ts';
import type { SessionProvider } from './provider.ts';
import { followAccount, observeSession, type PackagePurchase, type SessionSnapshot } from './purchase.ts';
import { currentPurchase, paidOrder, purchases, surroundings } from './store.ts';

/** Applies a Stripe checkout session to the purchase it names. All purchases settle here. */
export type SettleSession = (seen: SessionSnapshot, receipt?: WebhookReceipt) => Promise<Seen>;

/** Work at Stripe after the commit. The reconciler does what a crash leaves undone. */
interface FollowUp {
  purchase: PackagePurchase;
  refund?: Refund | undefined;
  /** On sale for the same order, which now has its package. */
  superseded?: PackagePurchase | undefined;
}

export function sessionSettler(parts: {
  sql: Sql;
  provider: SessionProvider;
  refunds: { sendSoon(refund: Refund): Promise<void> };
  clock: () => Date;
  logger: Logger;
  counted: (status: PackagePurchase['status']) => void;
}): SettleSession {
  const { sql, provider, refunds, clock, logger, counted } = parts;

  async function settle(tx: Transaction, seen: SessionSnapshot): Promise<FollowUp | 'not-ours' | 'known'> {
    const named = seen.purchaseId === undefined ? undefined : await purchases.get(tx, seen.purchaseId);
    if (!named) return 'not-ours';
    const { orderId, purchaseId } = named;
    await lock(tx, 'packages', orderId);
    const before = (await purchases.get(tx, purchaseId))!;
    const decision = observeSession(before, seen, await surroundings(tx, orderId, purchaseId), clock());
    if (!decision) return 'known';
    const { purchase, events } = decision;
    const current = await currentPurchase(tx, orderId);
    const superseded =
      purchase.status === 'active' && current?.purchaseId !== purchaseId ? current : undefined;
    if (superseded) await purchases.put(tx, { ...superseded, status: 'expired', updatedAt: clock() });
    await purchases.put(tx, { ...purchase, updatedAt: clock() });
    await tx.publish(events);
    const refund =
      purchase.status === 'surplus'
        ? await giveBack(tx, purchase, 'the package could not be added to the order', clock())
        : undefined;
    return { purchase, refund, superseded };
  }

  async function run({ refund, superseded }: FollowUp): Promise<void> {
    if (refund) await refunds.sendSoon(refund);
    if (superseded?.sessionId !== undefined)
      await provider.expire(superseded.sessionId).catch((error: unknown) => {
        logger.warn({ err: error }, 'ending a checkout session has to wait');
      });
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

/** Stores a refund of all that is left of a purchase. @returns undefined when nothing is left */
async function giveBack(
  tx: Transaction,
  { purchaseId }: PackagePurchase,
  reason: string,
  now: Date,
): Promise<Refund | undefined> {
  const subject = (await subjectNamed(tx, purchaseId))!;
  const refund = refundOfRest(await accountOf(tx, subject), randomUUID(), reason, now);
  if (refund) await refunds.add(tx, refund);
  return refund;
}

/** Refunds the package of an order that is refunded before planting. */
export async function refundPackageOf(
  tx: Transaction,
  orderId: string,
  now: Date,
): Promise<Refund | undefined> {
  const current = await currentPurchase(tx, orderId);
  if (current?.status !== 'active' || !(await paidOrder(tx, orderId))?.isRefunded) return undefined;
  await lock(tx, 'money', current.purchaseId);
  return giveBack(tx, current, 'the trees were refunded before planting', now);
}

/** Stops or reactivates a package when its refunds or disputes change. */
export async function followMoney(
  tx: Transaction,
  { kind, id: purchaseId, orderId }: Subject,
  account: Account,
  now: Date,
): Promise<void> {
  if (kind !== 'purchase') return;
  await lock(tx, 'packages', orderId);
  const purchase = await purchases.get(tx, purchaseId);
  const current = await currentPurchase(tx, orderId);
  const isTaken = current !== undefined && current.purchaseId !== purchaseId;
  const decision = purchase && followAccount(purchase, { isGivenBack: isGivenBack(account), isTaken }, now);
  if (!decision) return;
  await purchases.put(tx, { ...decision.purchase, updatedAt: now });
  await tx.publish(decision.events);
}

/** Finds the purchase on sale or active for an order, or stores the given one. */
export const reservePurchase = (
  sql: Sql,
  wanted: PackagePurchase,
): Promise<{ purchase: PackagePurchase; isNew: boolean }> =>
  sql.transaction(async (tx) => {
    await lock(tx, 'packages', wanted.orderId);
    const current = await currentPurchase(tx, wanted.orderId);
    if (current) return { purchase: current, isNew: false };
    await purchases.add(tx, { ...wanted, updatedAt: wanted.createdAt });
    return { purchase: wanted, isNew: true };
  });

/** Stripe refused to create a session. */
export const failPurchase = (sql: Sql, { orderId, purchaseId }: PackagePurchase, now: Date): Promise<void> =>
  sql.transaction(async (tx) => {
    await lock(tx, 'packages', orderId);
    const latest = await purchases.get(tx, purchaseId);
    if (latest?.status === 'creating')
      await purchases.put(tx, { ...latest, status: 'failed', updatedAt: now });
  });
