import { testGiftToken, testOrderToken } from '@arboleda/chassis/testing/config.ts';
import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import { randomBytes } from 'node:crypto';

export const newOrderId = (): string => randomBytes(12).toString('hex');

/** Timeline of an order in minutes; it is paid at 0. */
export const minute = (count: number): string => new Date(Date.UTC(2026, 10, 21, 15, count)).toISOString();

export const ANA = {
  workerId: 'worker-ana',
  code: 'QU-014',
  name: 'Ana Ruiz',
  email: 'ana@arboleda.test',
  region: 'Quindío',
};

/** Input of decisions: the event, and the token and number that it does not carry. */
type Payment = EventData<'payment.succeeded'> & {
  orderToken: string;
  giftToken?: string;
  receiptNumber: string;
};
type PaymentOverrides = Partial<Omit<Payment, 'customer'>> & { customer?: Partial<Payment['customer']> };

export function payment({
  customer,
  orderId = newOrderId(),
  ...overrides
}: PaymentOverrides = {}): NewEvent<'payment.succeeded'> & { data: Payment } {
  return {
    type: 'payment.succeeded',
    data: {
      orderId,
      ...(overrides.gift && { giftToken: testGiftToken(orderId, 1) }),
      orderToken: testOrderToken(orderId),
      receiptNumber: '2026-000123',
      paymentId: 'payment-1',
      method: { kind: 'card' },
      transactionId: 'pi_1',
      trees: 5,
      packageType: 'grove',
      amountMinor: 8_230_000,
      currency: 'COP',
      customer: {
        name: 'María José Pérez',
        email: 'Maria@mail.test',
        phone: '+57 300 1234567',
        country: 'CO',
        ...customer,
      },
      language: 'es',
      paidAt: minute(0),
      card: { brand: 'visa', last4: '4242' },
      ...overrides,
    },
  };
}

const step = (orderId: string, statusRevision: number, at: string) => ({
  orderId,
  assignmentId: `assignment-${orderId}`,
  statusRevision,
  worker: ANA,
  at,
});

export const assigned = (
  orderId: string,
  overrides: Partial<EventData<'order.assigned'>> = {},
): NewEvent<'order.assigned'> => ({
  type: 'order.assigned',
  data: { ...step(orderId, 0, minute(1)), ...overrides },
});

export const planted = (
  orderId: string,
  overrides: Partial<EventData<'order.planted'>> = {},
): NewEvent<'order.planted'> => ({
  type: 'order.planted',
  data: { ...step(orderId, 1, minute(20)), location: 'Finca La Esperanza, Salento', ...overrides },
});

export const completed = (
  orderId: string,
  overrides: Partial<EventData<'order.completed'>> = {},
): NewEvent<'order.completed'> => ({
  type: 'order.completed',
  data: { ...step(orderId, 2, minute(50)), ...overrides },
});

export const photo = (
  orderId: string,
  overrides: Partial<EventData<'photo.uploaded'>> = {},
): NewEvent<'photo.uploaded'> => ({
  type: 'photo.uploaded',
  data: {
    orderId,
    assignmentId: `assignment-${orderId}`,
    workerId: ANA.workerId,
    photoId: 'photo-1',
    filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    width: 1600,
    height: 1200,
    uploadedAt: minute(30),
    ...overrides,
  },
});
