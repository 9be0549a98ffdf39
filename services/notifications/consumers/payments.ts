import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { BEFORE_THE_ORDER, keepOrder, requireOrder } from '../copies/orders.ts';
import { queueMail, wasQueued } from '../queue/mail-store.ts';
import { type ConsumerParts, inGift, payerOf, queueDonorMail } from './parts.ts';

export function paymentConsumers({ sql, orderToken }: ConsumerParts): EventHandlers {
  return {
    'payment.submitted': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const kept = await keepOrder(tx, data, orderToken(data.orderId), BEFORE_THE_ORDER);
        const order = kept ?? (await requireOrder(tx, data.orderId));
        // A submission is not announced after its approval.
        if (await wasQueued(tx, data.orderId, 'transfer-approved')) return;
        const { amountMinor, currency, submittedAt } = data;
        const referenceNumber = plainReference(data.referenceNumber);
        const more = { amountMinor, currency, referenceNumber, submittedAt, ...inGift(data.gift) };
        await queueDonorMail(tx, order, {
          eventId,
          kind: 'transfer-received',
          facts: { ...order.facts, ...more },
        });
      });
    },

    'payment.rejected': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        await queueDonorMail(tx, order, {
          eventId,
          kind: 'transfer-rejected',
          facts: { ...order.facts, reason: data.reason },
        });
      });
    },

    'payment.refunded': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        const { amountMinor, currency, refundedMinor, isFull, photoPackage, byHand, at: refundedAt } = data;
        const more = {
          amountMinor,
          currency,
          refundedMinor,
          isFull,
          refundedAt,
          photoPackage,
          byHand,
          isPlanted: order.plantedAt !== undefined,
          ...(order.withdraws && { isWithdrawal: true as const }),
        };
        const payer = await payerOf(tx, order, photoPackage);
        if (!payer) return;
        const { to, facts } = payer;
        await queueMail(tx, { eventId, kind: 'refunded', to, facts: { ...facts, ...more } });
      });
    },

    /** Emails only lost disputes: until the decision, the bank informs the cardholder. */
    'payment.disputed': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { orderId, lostMinor, paidMinor, currency, photoPackage, at: lostAt } = data;
        if (lostMinor === 0) return;
        const order = await requireOrder(tx, orderId);
        const more = {
          amountMinor: lostMinor,
          currency,
          photoPackage,
          lostAt,
          isFull: lostMinor >= paidMinor,
          isPlanted: order.plantedAt !== undefined,
        };
        const payer = await payerOf(tx, order, photoPackage);
        if (!payer) return;
        const { to, facts } = payer;
        await queueMail(tx, { eventId, kind: 'dispute-lost', to, facts: { ...facts, ...more } });
      });
    },

    'payment.refund_failed': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        const { amountMinor, currency, photoPackage, at: failedAt } = data;
        const more = { amountMinor, currency, photoPackage, failedAt };
        const payer = await payerOf(tx, order, photoPackage);
        if (!payer) return;
        const { to, facts } = payer;
        await queueMail(tx, { eventId, kind: 'refund-failed', to, facts: { ...facts, ...more } });
      });
    },
  };
}

/** Includes text typed by a person only if it cannot be a message or a link: "ARB-7K3Q9F", "M-77". */
const plainReference = (typed: string | undefined): string | undefined =>
  typed !== undefined && /^(?=.*\d)[\p{L}\d-]{1,20}$/u.test(typed) ? typed : undefined;
