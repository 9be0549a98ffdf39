import type { EventData, EventType, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { ANA, minute, payment } from './builders.ts';

/** Events about an order other than card payments and the steps of workers. */
export const LUCIA = { role: 'admin' as const, id: 'admin-lucia', name: 'Lucía Gómez' };

type Changes<Type extends EventType> = Partial<EventData<Type>>;

const transfer = (orderId: string) => {
  const {
    card: _card,
    paidAt: _paidAt,
    transactionId: _id,
    receiptNumber: _number,
    ...bought
  } = payment({
    orderId,
  }).data;
  const method = { kind: 'transfer', bank: 'bancolombia' } as const;
  return { ...bought, method, referenceNumber: 'ARB-7F3A' };
};

export const submitted = (
  orderId: string,
  changes: Changes<'payment.submitted'> = {},
): NewEvent<'payment.submitted'> & { data: { orderToken: string } } => ({
  type: 'payment.submitted',
  data: {
    ...transfer(orderId),
    evidenceFiles: [{ filename: 'evidence-1.jpg', originalName: 'recibo María.jpg', fileSize: 1234 }],
    submittedAt: minute(-60),
    ...changes,
  },
});

/** A transfer's approval. */
export const approved = (
  orderId: string,
  changes: Changes<'payment.succeeded'> = {},
): NewEvent<'payment.succeeded'> & { data: { orderToken: string; receiptNumber: string } } => ({
  type: 'payment.succeeded',
  data: {
    ...transfer(orderId),
    transactionId: 'transfer-1',
    receiptNumber: '2026-000124',
    paidAt: minute(0),
    approvedBy: LUCIA,
    ...changes,
  },
});

export const rejected = (orderId: string): NewEvent<'payment.rejected'> => ({
  type: 'payment.rejected',
  data: { orderId, paymentId: 'payment-1', reason: 'No such transfer', by: LUCIA, at: minute(0) },
});

/** A full refund by default. */
export const refunded = (
  orderId: string,
  changes: Changes<'payment.refunded'> = {},
): NewEvent<'payment.refunded'> => ({
  type: 'payment.refunded',
  data: {
    orderId,
    paymentId: 'payment-1',
    refundId: 'refund-1',
    amountMinor: 8_230_000,
    currency: 'COP',
    paidMinor: 8_230_000,
    refundedMinor: 8_230_000,
    isFull: true,
    reason: 'Bought twice',
    by: LUCIA,
    at: minute(70),
    ...changes,
  },
});

export const refundFailed = (
  orderId: string,
  changes: Changes<'payment.refund_failed'> = {},
): NewEvent<'payment.refund_failed'> => ({
  type: 'payment.refund_failed',
  data: {
    orderId,
    paymentId: 'payment-1',
    refundId: 'refund-1',
    amountMinor: 8_230_000,
    currency: 'COP',
    paidMinor: 8_230_000,
    reason: 'expired_or_canceled_card',
    at: minute(75),
    ...changes,
  },
});

export const disputed = (
  orderId: string,
  changes: Changes<'payment.disputed'> = {},
): NewEvent<'payment.disputed'> => ({
  type: 'payment.disputed',
  data: {
    orderId,
    paymentId: 'payment-1',
    disputeId: 'dispute-1',
    amountMinor: 8_230_000,
    currency: 'COP',
    paidMinor: 8_230_000,
    reason: 'fraudulent',
    status: 'needs_response',
    lostMinor: 0,
    at: minute(80),
    ...changes,
  },
});

const ofPhoto = (orderId: string) => ({
  orderId,
  assignmentId: `assignment-${orderId}`,
  photoId: 'photo-1',
  by: LUCIA,
  filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
});
export const hidden = (orderId: string, changes: Changes<'photo.hidden'> = {}): NewEvent<'photo.hidden'> => ({
  type: 'photo.hidden',
  data: { ...ofPhoto(orderId), reason: 'A face is on it', at: minute(60), ...changes },
});
export const restored = (
  orderId: string,
  changes: Changes<'photo.restored'> = {},
): NewEvent<'photo.restored'> => ({
  type: 'photo.restored',
  data: { ...ofPhoto(orderId), reason: 'They agreed', at: minute(65), ...changes },
});

export const growthBought = (orderId: string): NewEvent<'photo_package.purchased'> => ({
  type: 'photo_package.purchased',
  data: {
    orderId,
    purchaseId: 'purchase-1',
    photoPackageType: 'first_year',
    amountMinor: 1500,
    currency: 'USD',
    transactionId: 'pi_2',
    language: 'es',
    purchasedAt: minute(100),
    customer: { name: 'María José Pérez', email: 'Maria@mail.test' },
  },
});

/** @param days of each of the three updates, counted from the purchase */
export const growthScheduled = (
  orderId: string,
  { days = [90, 180, 365], at = minute(101) } = {},
): NewEvent<'growth_visit.scheduled'> => ({
  type: 'growth_visit.scheduled',
  data: {
    orderId,
    purchaseId: 'purchase-1',
    photoPackageType: 'first_year',
    at,
    visits: days.map((day, n) => ({
      visitId: `visit-${n + 1}`,
      orderId,
      purchaseId: 'purchase-1',
      number: n + 1,
      of: days.length,
      dueAt: minute(day * 24 * 60),
    })),
  },
});

export const growthVisited = (orderId: string, number: number): NewEvent<'growth_visit.completed'> => ({
  type: 'growth_visit.completed',
  data: {
    visitId: `visit-${number}`,
    orderId,
    purchaseId: 'purchase-1',
    number,
    of: 3,
    worker: ANA,
    photos: 2,
    at: minute(200 + number),
  },
});

export const growthFinished = (orderId: string): NewEvent<'photo_package.completed'> => ({
  type: 'photo_package.completed',
  data: { orderId, purchaseId: 'purchase-1', at: minute(210) },
});

/** A gift that waits for its day. */
export const giftTo = (changes: Partial<Gift> = {}): Gift => ({
  recipientName: 'Olga Ruiz',
  recipientEmail: 'olga@mail.test',
  message: 'For your birthday.',
  language: 'en',
  card: 'valley',
  deliverOn: daysLater(dayIn(new Date(), 'America/Bogota'), 20),
  timeZone: 'America/Bogota',
  ...changes,
});

export const giftDelivered = (
  orderId: string,
  revision = 1,
  at = minute(90),
): NewEvent<'gift.delivered'> => ({
  type: 'gift.delivered',
  data: { orderId, revision, at },
});

export const giftBounced = (
  orderId: string,
  revision = 1,
  reason: 'bounced' | 'refused' = 'bounced',
): NewEvent<'gift.bounced'> => ({
  type: 'gift.bounced',
  data: { orderId, revision, reason, at: minute(95) },
});
