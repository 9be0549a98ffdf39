import { amountText, type Audited } from '@arboleda/chassis/audit/audit.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { createHash, randomUUID } from 'node:crypto';
import { followMoney } from '../photo-packages/settle.ts';
import { lock } from '../settling.ts';
import { isRefusal } from '../stripe.ts';
import { type Subject, subjectNamed } from '../money/subject.ts';
import {
  decideByHand,
  decideRefusal,
  decideRequest,
  decideSent,
  type RefundDecision,
  type RefundRequest,
} from '../money/refund-decisions.ts';
import type { Refund } from '../money/refund.ts';
import type { RefundProvider, SettleRefund } from './settle.ts';
import { accountOf, refundWithKey, refunds, type PaidAccount, unsentRefunds } from '../money/store.ts';

export interface Refunds {
  /**
   * Refunds a payment or a photo package. While Stripe is unavailable, the refund stays pending and is
   * retried.
   * @throws Problem
   */
  ask(kind: Subject['kind'], subjectId: string, request: RefundRequest): Promise<Refund>;
  /**
   * Notes that a claimed refund was sent, or that it is not sent after all.
   * @throws Problem `not-found`; `conflict` when it was no claimed one, or the other was noted
   */
  settleByHand(refundId: string, isSent: boolean): Promise<Refund>;
  /**
   * Notes, in the caller's transaction, that money went back by other means: at most what is left.
   * @returns undefined when nothing is left. @throws Problem `refund-in-hand`
   */
  noteSent(
    tx: Transaction,
    paymentId: string,
    sent: { amountMinor: number; reason: string; by: Actor },
  ): Promise<Refund | undefined>;
  /** Keeps the money of a failed refund. @throws Problem `not-found`; `conflict` when it did not fail */
  dismiss(refundId: string, said: { by: Actor; reason: string }): Promise<Refund>;
  /** Sends a stored refund to Stripe. @throws Problem `refund-refused` */
  send(refund: Refund): Promise<void>;
  /** Sends without waiting; failures are retried later. */
  sendSoon(refund: Refund): Promise<void>;
  /** Sends refunds stored before then that may not have reached Stripe. @returns how many were sent */
  sendUnsent(before: Date): Promise<number>;
}

export function openRefunds(parts: {
  sql: Sql;
  provider: RefundProvider;
  settle: SettleRefund;
  clock: () => Date;
  logger: Logger;
  counted: (status: Refund['status']) => void;
}): Refunds {
  const { sql, provider, settle, clock, logger, counted } = parts;

  /** Tells others, and lets a photo package follow its money. */
  async function tell(tx: Transaction, { account, events }: RefundDecision): Promise<void> {
    await tx.publish(events);
    await followMoney(tx, account.subject, account, clock());
  }

  /** A payment or photo package that nobody else can change until the transaction ends. @throws Problem `not-found` */
  async function locked(tx: Transaction, subjectId: string): Promise<PaidAccount> {
    await lock(tx, 'money', subjectId);
    const subject = await subjectNamed(tx, subjectId);
    if (!subject) throw new Problem('not-found');
    return accountOf(tx, subject);
  }

  /** A stored refund under the lock of its money. @throws Problem `not-found` */
  async function lockedRefund(tx: Transaction, refundId: string) {
    const found = await refunds.get(tx, refundId);
    if (!found) throw new Problem('not-found');
    const account = await locked(tx, found.subjectId);
    return { account, refund: account.refunds.find((one) => one.refundId === refundId)! };
  }

  async function writeDown(
    tx: Transaction,
    kind: Subject['kind'],
    subjectId: string,
    request: RefundRequest,
  ): Promise<{ refund: Refund; isNew: boolean }> {
    const account = await locked(tx, subjectId);
    if (account.subject.kind !== kind) throw new Problem('not-found');
    const { idempotencyKey } = request;
    const hash = hashOf(request);
    const before = idempotencyKey && (await refundWithKey(tx, subjectId, idempotencyKey));
    if (before) {
      if (before.call?.hash !== hash) throw new Problem('idempotency-conflict');
      return { refund: before, isNew: false };
    }
    const decision = decideRequest(account, request, randomUUID(), clock());
    await refunds.add(tx, { ...decision.refund, ...(idempotencyKey && { call: { idempotencyKey, hash } }) });
    await tx.audit(auditedRefund(decision.refund));
    await tell(tx, decision);
    return { refund: decision.refund, isNew: true };
  }

  async function refused({ refundId }: Refund, reason: string): Promise<void> {
    const isNews = await sql.transaction(async (tx) => {
      const { account, refund } = await lockedRefund(tx, refundId);
      const decision = decideRefusal(account, refund, reason, clock());
      if (!decision) return false;
      await refunds.put(tx, decision.refund);
      await tell(tx, decision);
      return true;
    });
    if (!isNews) return;
    counted('failed');
    logger.error({ refundId, reason }, 'Stripe refused a refund');
  }

  const waits =
    ({ refundId }: Refund) =>
    (error: unknown) =>
      logger.warn({ err: error, refundId }, 'Stripe could not be asked for a refund yet');

  const calls: Refunds = {
    async ask(kind, subjectId, request) {
      const { refund, isNew } = await sql.transaction((tx) => writeDown(tx, kind, subjectId, request));
      if (isNew && refund.method === 'hand') counted(refund.status);
      if (wasRefused(refund)) throw new Problem('refund-refused');
      if (refund.status === 'creating') {
        await calls.send(refund).catch((error: unknown) => {
          if (error instanceof Problem) throw error;
          waits(refund)(error);
        });
      }
      return (await refunds.get(sql, refund.refundId)) ?? refund;
    },
    async settleByHand(refundId, isSent) {
      const { refund, isNew } = await sql.transaction(async (tx) => {
        const { account, refund: before } = await lockedRefund(tx, refundId);
        const decision = decideByHand(account, before, isSent, clock());
        if (!decision) return { refund: before, isNew: false };
        await refunds.put(tx, decision.refund);
        await tell(tx, decision);
        await tx.audit({
          object: { type: 'refund', id: refundId },
          orderId: before.orderId,
          before: { status: before.status },
          after: { status: decision.refund.status },
        });
        return { refund: decision.refund, isNew: true };
      });
      if (isNew) counted(refund.status);
      return refund;
    },
    async noteSent(tx, paymentId, sent) {
      const decision = decideSent(await locked(tx, paymentId), sent, randomUUID(), clock());
      if (!decision) return undefined;
      await refunds.add(tx, decision.refund);
      await tx.audit(auditedRefund(decision.refund));
      await tell(tx, decision);
      return decision.refund;
    },
    dismiss: (refundId, said) =>
      sql.transaction(async (tx) => {
        const { refund } = await lockedRefund(tx, refundId);
        if (refund.dismissed) return refund;
        if (refund.status !== 'failed') throw new Problem('conflict');
        const dismissed = { ...refund, dismissed: { ...said, at: clock().toISOString() } };
        await refunds.put(tx, dismissed);
        await tx.audit({
          object: { type: 'refund', id: refundId },
          orderId: refund.orderId,
          before: { dismissed: false },
          after: { dismissed: true },
          withheld: ['reason'],
        });
        return dismissed;
      }),
    async send(refund) {
      const intentId = (await subjectNamed(sql, refund.subjectId))?.intentId;
      if (intentId === undefined) throw new Error(`no intent to refund: ${refund.refundId}`);
      const snapshot = await provider.refund(refund, intentId, clock()).catch(async (error: unknown) => {
        if (!isRefusal(error)) throw error;
        await refused(refund, error.code ?? error.type);
        throw new Problem('refund-refused', { cause: error });
      });
      crashPoint('refund-made');
      await settle(snapshot);
    },
    sendSoon: (refund) => calls.send(refund).catch(waits(refund)),
    async sendUnsent(before) {
      let sent = 0;
      for (const refund of await unsentRefunds(sql, before)) {
        await calls.send(refund).then(
          () => sent++,
          (error: unknown) =>
            logger.error({ err: error, refundId: refund.refundId }, 'Stripe could not be asked for a refund'),
        );
      }
      return sent;
    },
  };
  return calls;
}

const auditedRefund = ({
  refundId: id,
  orderId,
  method,
  subject,
  amountMinor,
  currency,
}: Refund): Audited => ({
  object: { type: 'refund', id },
  orderId,
  after: { amount: amountText(amountMinor, currency), method, refundOf: subject },
  withheld: ['reason'],
});

/** Stripe refused it: a repeated key gets the same answer. */
const wasRefused = ({ method, status, stripeId }: Refund): boolean =>
  method === 'card' && status === 'failed' && stripeId === undefined;

const hashOf = ({ amountMinor, reason, byHand, claim }: RefundRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([amountMinor ?? null, reason, byHand, claim]))
    .digest('base64url');
