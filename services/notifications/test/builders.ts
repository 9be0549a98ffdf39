import { testOrderToken } from '@arboleda/chassis/testing/config.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { randomBytes, randomUUID } from 'node:crypto';

export const newEmail = (): string => `${randomUUID().slice(0, 8)}@example.org`;

const ANA = {
  workerId: 'w-ana',
  code: 'QU-014',
  name: 'Ana Ríos',
  email: 'ana@arboleda.test',
  region: 'Quindío',
};
export const ADMIN = { role: 'admin' as const, id: 'admin-1', name: 'Marta' };
export const AT = '2026-11-21T20:00:00.000Z';

export const someWorker = (changes = {}) => ({
  ...ANA,
  workerId: randomUUID(),
  email: newEmail(),
  ...changes,
});

/** An order with its events, ready to be published. */
export function someOrder(changes: Partial<EventData<'order.created'>> = {}) {
  const created: EventData<'order.created'> = {
    orderId: randomBytes(12).toString('hex'),
    statusRevision: 0,
    status: 'pending',
    trees: 5,
    packageType: 'grove',
    amountMinor: 8_230_000,
    currency: 'COP',
    customer: { name: 'Lucía Peña', email: newEmail() },
    language: 'en',
    method: { kind: 'card' },
    transactionId: 'pi_123',
    receiptNumber: '2026-000123',
    createdAt: AT,
    ...changes,
  };
  const { orderId, trees, packageType, amountMinor, currency, customer, language } = created;
  const step = (worker = someWorker(), statusRevision = 0) => ({
    orderId,
    assignmentId: 'a-1',
    statusRevision,
    worker,
    at: AT,
  });
  const bought = { orderId, trees, packageType, amountMinor, currency, customer, language };
  return {
    created,
    step,
    /** The event of payments before the order exists. */
    submitted: {
      ...bought,
      paymentId: `p-${orderId}`,
      method: { kind: 'transfer', bank: 'bancolombia' },
      referenceNumber: 'ARB-1',
      evidenceFiles: [],
      submittedAt: AT,
    } satisfies EventData<'payment.submitted'>,
    succeeded: {
      ...bought,
      paymentId: `p-${orderId}`,
      method: created.method,
      transactionId: created.transactionId,
      paidAt: AT,
    } satisfies EventData<'payment.succeeded'>,
    /** An admin's change. */
    status: (
      from: OrderStatus,
      to: OrderStatus,
      statusRevision: number,
      more: Partial<EventData<'order.status_changed'>> = {},
    ): EventData<'order.status_changed'> => ({
      orderId,
      from,
      to,
      statusRevision,
      by: ADMIN,
      at: AT,
      ...more,
    }),
    updated: (more: Partial<EventData<'order.updated'>> = {}): EventData<'order.updated'> => ({
      orderId,
      trees,
      amountMinor,
      currency,
      customer,
      language,
      changed: [],
      by: ADMIN,
      at: AT,
      ...more,
    }),
    /** A gift of the order. */
    gift: ({
      recipientEmail = newEmail(),
      language: toldIn = 'en',
      ...more
    }: Partial<EventData<'gift.scheduled'>> & {
      recipientEmail?: string | null;
      language?: Language;
    } = {}): EventData<'gift.scheduled'> => ({
      orderId,
      revision: 1,
      gift: {
        recipientName: 'Mateo Ríos',
        recipientEmail,
        message: 'Que crezcan tan altos como tú.',
        language: toldIn,
        card: 'valley',
      },
      from: customer.name,
      trees,
      link: 1,
      deliverAt: AT,
      at: AT,
      ...more,
    }),
    claim: (more: Partial<EventData<'gift.claimed'>> = {}): EventData<'gift.claimed'> => ({
      orderId,
      accountId: randomUUID(),
      name: 'Mateo Ríos',
      email: newEmail(),
      language: 'en',
      at: AT,
      ...more,
    }),
    email: created.customer.email,
    link: `https://arboleda.test/orders/${testOrderToken(orderId)}`,
    photo: (): EventData<'photo.uploaded'> => ({
      orderId: created.orderId,
      assignmentId: 'a-1',
      workerId: ANA.workerId,
      photoId: randomUUID(),
      filename: `${randomBytes(16).toString('base64url')}.jpg`,
      width: 1600,
      height: 1200,
      uploadedAt: new Date().toISOString(),
    }),
  };
}
