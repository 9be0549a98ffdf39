import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { OrderCopy } from '../copies/orders.ts';
import type { OrderFacts } from '../mails/index.ts';
import type { NewMail, Recipient } from '../queue/mail.ts';

export type MoneyEvent = Extract<
  ArboledaEvent,
  {
    type:
      | 'order.created'
      | 'payment.submitted'
      | 'payment.rejected'
      | 'payment.refunded'
      | 'payment.refund_failed'
      | 'payment.disputed'
      | 'photo_package.purchased';
  }
>;

/** The person who paid, with the facts that all emails to them share. */
export interface Payer {
  to: Recipient;
  facts: OrderFacts;
}

/** The email that an event about money causes, if any. Nothing is read or written here. */
export function moneyMail(
  event: MoneyEvent,
  order: Pick<OrderCopy, 'plantedAt' | 'withdraws'>,
  { to, facts }: Payer,
): NewMail | undefined {
  const { id: eventId } = event;
  const isPlanted = order.plantedAt !== undefined;
  switch (event.type) {
    case 'order.created': {
      const { amountMinor, currency, card, createdAt: paidAt, transactionId, receiptNumber } = event.data;
      const paid = {
        ...facts,
        amountMinor,
        currency,
        receiptNumber,
        transactionId,
        ...inGift(event.data.gift),
      };
      return event.data.method.kind === 'card'
        ? { eventId, kind: 'receipt', to, facts: { ...paid, card, paidAt } }
        : { eventId, kind: 'transfer-approved', to, facts: { ...paid, approvedAt: event.occurredAt } };
    }
    case 'payment.submitted': {
      const { amountMinor, currency, submittedAt } = event.data;
      const referenceNumber = plainReference(event.data.referenceNumber);
      const more = { amountMinor, currency, referenceNumber, submittedAt, ...inGift(event.data.gift) };
      return { eventId, kind: 'transfer-received', to, facts: { ...facts, ...more } };
    }
    case 'payment.rejected':
      return { eventId, kind: 'transfer-rejected', to, facts: { ...facts, reason: event.data.reason } };
    case 'payment.refunded': {
      const {
        amountMinor,
        currency,
        refundedMinor,
        isFull,
        photoPackage,
        byHand,
        at: refundedAt,
      } = event.data;
      const money = { amountMinor, currency, refundedMinor, isFull, photoPackage, byHand, refundedAt };
      const why = order.withdraws && { isWithdrawal: true as const };
      return { eventId, kind: 'refunded', to, facts: { ...facts, ...money, isPlanted, ...why } };
    }
    case 'payment.refund_failed': {
      const { amountMinor, currency, photoPackage, at: failedAt } = event.data;
      const more = { amountMinor, currency, photoPackage, failedAt };
      return { eventId, kind: 'refund-failed', to, facts: { ...facts, ...more } };
    }
    // Only lost disputes: until the decision, the bank informs the cardholder.
    case 'payment.disputed': {
      const { lostMinor, paidMinor, currency, photoPackage, at: lostAt } = event.data;
      if (lostMinor === 0) return undefined;
      const money = { amountMinor: lostMinor, currency, photoPackage, isFull: lostMinor >= paidMinor };
      return { eventId, kind: 'dispute-lost', to, facts: { ...facts, ...money, isPlanted, lostAt } };
    }
    case 'photo_package.purchased': {
      const { photoPackageType, amountMinor, currency, transactionId, purchasedAt } = event.data;
      const bought = { photoPackageType, amountMinor, currency, transactionId, purchasedAt };
      const startsMs = order.plantedAt && Math.max(Date.parse(order.plantedAt), Date.parse(purchasedAt));
      const more = { ...bought, ...(startsMs && { startsAt: new Date(startsMs).toISOString() }) };
      return { eventId, kind: 'photo-package', to, facts: { ...facts, ...more } };
    }
  }
}

/** For a receipt: to whom the trees are given, and when. */
const inGift = (gift: { recipientName: string; deliverOn: string } | undefined) =>
  gift && { gift: { recipientName: gift.recipientName, deliverOn: gift.deliverOn } };

/** Includes text typed by a person only if it cannot be a message or a link: "ARB-7K3Q9F", "M-77". */
const plainReference = (typed: string | undefined): string | undefined =>
  typed !== undefined && /^(?=.*\d)[\p{L}\d-]{1,20}$/u.test(typed) ? typed : undefined;
