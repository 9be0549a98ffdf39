import { amountText, type Audited } from '@arboleda/chassis/audit/audit.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { toStripeAmount } from '@arboleda/contracts/money.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { createHash, randomUUID } from 'node:crypto';
import { refundedEvent, refundStatusEvents } from '../money-events.ts';
import { followMoney } from '../photo-packages/settle.ts';
import { lock } from '../settling.ts';
import { isRefusal } from '../stripe.ts';
import { type Subject, subjectNamed } from '../subject.ts';
import { amountToRefund, leftMinor, type Refund, refundOf } from './refund.ts';
import type { RefundProvider, SettleRefund } from './settle.ts';
import { accountOf, insertRefund, refundNamed, refundWithKey, unsentRefunds, updateRefund } from './store.ts';

export interface RefundRequest {
  /** Defaults to all that is left. */
  amountMinor: number | undefined;
  reason: string;
  /** The admin returns the money by other means and notes it here. */
  byHand: boolean;
  /** The admin is about to send it: it is pending until `settleByHand`, and nobody else refunds meanwhile. */
  claim: boolean;
  by: Actor;
  idempotencyKey: string | undefined;
}

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

  async function writeDown(
    tx: Transaction,
    kind: Subject['kind'],
    subjectId: string,
    request: RefundRequest,
  ): Promise<{ refund: Refund; isNew: boolean }> {
    await lock(tx, 'money', subjectId);
    const subject = await subjectNamed(tx, subjectId);
    if (subject?.kind !== kind) throw new Problem('not-found');
    const hash = hashOf(request);
    const before = request.idempotencyKey && (await refundWithKey(tx, subjectId, request.idempotencyKey));
    if (before) {
      if (before.requestHash !== hash) throw new Problem('idempotency-conflict');
      return { refund: before, isNew: false };
    }
    const account = await accountOf(tx, subject);
    const refund = newRefund(
      subject,
      amountToRefund(account, { ...request, hasKey: Boolean(request.idempotencyKey) }),
    );
    const call = request.idempotencyKey ? { idempotencyKey: request.idempotencyKey, hash } : undefined;
    await insertRefund(tx, refund, call);
    await tx.audit(auditedRefund(refund));
    await tx.publish(refundStatusEvents(refund, subject, refund.createdAt));
    if (refund.status === 'succeeded') await succeeded(tx, refund, subject, refund.createdAt);
    return { refund, isNew: true };

    function newRefund(paid: Subject, amountMinor: number): Refund {
      const isThroughStripe = paid.paidBy === 'card' && !request.byHand;
      if (isThroughStripe) checkStripeTakes(amountMinor, paid.currency);
      if (isThroughStripe && request.claim) throw fieldProblem('claim', 'invalid');
      const now = clock();
      const { reason, by } = request;
      const made = { refundId: randomUUID(), amountMinor, reason, by, createdAt: now };
      if (isThroughStripe) return refundOf(paid, made);
      // Transfers are refunded at the bank; here it is only noted.
      return request.claim
        ? refundOf(paid, { ...made, method: 'hand', status: 'pending' })
        : refundOf(paid, { ...made, method: 'hand', status: 'succeeded', settledAt: now });
    }
  }

  /** Publishes a stored refund by hand whose money was sent. */
  async function succeeded(tx: Transaction, refund: Refund, subject: Subject, now: Date): Promise<void> {
    const account = await accountOf(tx, subject);
    if (subject.isOrder) await tx.publish([refundedEvent(refund, subject, account, now)]);
    await followMoney(tx, subject, account, now);
  }

  async function refused(refund: Refund, reason: string): Promise<void> {
    const isNews = await sql.transaction(async (tx) => {
      await lock(tx, 'money', refund.subjectId);
      const latest = await refundNamed(tx, refund.refundId);
      if (latest?.status !== 'creating') return false;
      const failed = { ...latest, status: 'failed', failureReason: reason, settledAt: clock() } as const;
      await updateRefund(tx, failed);
      const subject = (await subjectNamed(tx, refund.subjectId))!;
      await tx.publish(refundStatusEvents(failed, subject, clock()));
      return true;
    });
    if (!isNews) return;
    counted('failed');
    logger.error({ refundId: refund.refundId, reason }, 'Stripe refused a refund');
  }

  const waits =
    ({ refundId }: Refund) =>
    (error: unknown) =>
      logger.warn({ err: error, refundId }, 'Stripe could not be asked for a refund yet');

  const refunds: Refunds = {
    async ask(kind, subjectId, request) {
      const { refund, isNew } = await sql.transaction((tx) => writeDown(tx, kind, subjectId, request));
      if (isNew && refund.method === 'hand') counted(refund.status);
      if (wasRefused(refund)) throw new Problem('refund-refused');
      if (refund.status === 'creating') {
        await refunds.send(refund).catch((error: unknown) => {
          if (error instanceof Problem) throw error;
          waits(refund)(error);
        });
      }
      return (await refundNamed(sql, refund.refundId)) ?? refund;
    },
    async settleByHand(refundId, isSent) {
      const wanted = isSent ? 'succeeded' : 'canceled';
      const { refund, isNew } = await sql.transaction(async (tx) => {
        const found = await refundNamed(tx, refundId);
        if (!found) throw new Problem('not-found');
        await lock(tx, 'money', found.subjectId);
        const before = (await refundNamed(tx, refundId))!;
        if (before.method === 'hand' && before.status === wanted) return { refund: before, isNew: false };
        if (before.method !== 'hand' || before.status !== 'pending') throw new Problem('conflict');
        const settled = { ...before, status: wanted, settledAt: clock() } as const;
        await updateRefund(tx, settled);
        const subject = (await subjectNamed(tx, settled.subjectId))!;
        await tx.publish(refundStatusEvents(settled, subject, clock()));
        if (isSent) await succeeded(tx, settled, subject, clock());
        await tx.audit({
          object: { type: 'refund', id: refundId },
          orderId: settled.orderId,
          before: { status: before.status },
          after: { status: settled.status },
        });
        return { refund: settled, isNew: true };
      });
      if (isNew) counted(refund.status);
      return refund;
    },
    async noteSent(tx, paymentId, { amountMinor, reason, by }) {
      await lock(tx, 'money', paymentId);
      const subject = await subjectNamed(tx, paymentId);
      if (!subject) throw new Problem('not-found');
      const account = await accountOf(tx, subject);
      const left = leftMinor(account);
      if (left === 0) return undefined;
      const now = clock();
      const refund = refundOf(subject, {
        refundId: randomUUID(),
        amountMinor: amountToRefund(account, { amountMinor: Math.min(amountMinor, left), hasKey: true }),
        reason,
        by,
        createdAt: now,
        method: 'hand',
        status: 'succeeded',
        settledAt: now,
      });
      await insertRefund(tx, refund);
      await tx.audit(auditedRefund(refund));
      await succeeded(tx, refund, subject, now);
      return refund;
    },
    dismiss: (refundId, said) =>
      sql.transaction(async (tx) => {
        const found = await refundNamed(tx, refundId);
        if (!found) throw new Problem('not-found');
        await lock(tx, 'money', found.subjectId);
        const refund = (await refundNamed(tx, refundId))!;
        if (refund.dismissed) return refund;
        if (refund.status !== 'failed') throw new Problem('conflict');
        const dismissed = { ...refund, dismissed: { ...said, at: clock().toISOString() } };
        await updateRefund(tx, dismissed);
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
    sendSoon: (refund) => refunds.send(refund).catch(waits(refund)),
    async sendUnsent(before) {
      let sent = 0;
      for (const refund of await unsentRefunds(sql, before)) {
        await refunds.send(refund).then(
          () => sent++,
          (error: unknown) =>
            logger.error({ err: error, refundId: refund.refundId }, 'Stripe could not be asked for a refund'),
        );
      }
      return sent;
    },
  };
  return refunds;
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

function checkStripeTakes(amountMinor: number, currency: string): void {
  try {
    toStripeAmount(amountMinor, currency);
  } catch (cause) {
    throw Object.assign(fieldProblem('amount', 'invalid'), { cause });
  }
}

const hashOf = ({ amountMinor, reason, byHand, claim }: RefundRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([amountMinor ?? null, reason, byHand, claim]))
    .digest('base64url');
