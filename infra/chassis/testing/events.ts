import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { randomBytes } from 'node:crypto';
import { toEnvelope } from '../events/envelope.ts';

/** An order id that contracts accept. */
export const anOrderId = (): string => randomBytes(12).toString('hex');

/** A minimal event; `reason` distinguishes several. */
export const someNewEvent = (orderId: string, reason = 'declined'): NewEvent<'payment.failed'> => ({
  type: 'payment.failed',
  data: { orderId, paymentId: 'pay_1', reason, at: '2026-05-01T12:00:00.000Z' },
});

/** The same, in its envelope. */
export const someEvent = (orderId = anOrderId(), reason = 'declined', sequence = 1) =>
  toEnvelope(someNewEvent(orderId, reason), sequence, new Date()) as ArboledaEvent<'payment.failed'>;
