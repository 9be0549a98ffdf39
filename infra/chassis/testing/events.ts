import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { randomBytes } from 'node:crypto';
import { toEnvelope } from '../events/envelope.ts';

/** An order id as contracts want it. */
export const anOrderId = (): string => randomBytes(12).toString('hex');

/** A decided event of the plainest kind; `reason` tells one from another. */
export const someNews = (orderId: string, reason = 'declined'): NewEvent<'payment.failed'> => ({
  type: 'payment.failed',
  data: { orderId, paymentId: 'pay_1', reason, at: '2026-05-01T12:00:00.000Z' },
});

/** The same, ready for the bus. */
export const someEvent = (orderId = anOrderId(), reason = 'declined', sequence = 1) =>
  toEnvelope(someNews(orderId, reason), sequence, new Date()) as ArboledaEvent<'payment.failed'>;
