import type { EventData, NewEvent } from '@arboleda/contracts/events/index.ts';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { randomBytes } from 'node:crypto';
import type { WorkerWithLoad } from '../workers/worker.ts';

export const newOrderId = (): string => randomBytes(12).toString('hex');

/** Timeline of an order in minutes; it is paid at 0. */
export const minute = (count: number): string => new Date(Date.UTC(2026, 10, 21, 15, count)).toISOString();

export function orderCreated(overrides: Partial<EventData<'order.created'>> = {}): NewEvent<'order.created'> {
  return {
    type: 'order.created',
    data: {
      orderId: newOrderId(),
      statusRevision: 0,
      status: 'pending',
      trees: 5,
      packageType: 'grove',
      amountMinor: 2000,
      currency: 'USD',
      customer: { name: 'María Pérez', email: 'maria@mail.test', phone: '+57 300 1234567', country: 'CO' },
      language: 'es',
      method: { kind: 'card' },
      transactionId: 'pi_1',
      receiptNumber: '2026-000123',
      createdAt: minute(0),
      ...overrides,
    },
  };
}

export function workerRegistered(
  overrides: Partial<EventData<'worker.registered'>> = {},
): NewEvent<'worker.registered'> {
  return {
    type: 'worker.registered',
    data: {
      workerId: 'worker-ana',
      code: 'QU-014',
      name: 'Ana Ruiz',
      email: 'ana@arboleda.test',
      region: 'Quindío',
      language: 'es',
      active: true,
      capacityTrees: 100,
      ...overrides,
    },
  };
}

export const workerUpdated = (
  overrides: Partial<EventData<'worker.updated'>> = {},
): NewEvent<'worker.updated'> => ({ ...workerRegistered(overrides), type: 'worker.updated' });

/** A status change published by orders; automatic unless `by` is an admin. */
export const statusChanged = (
  orderId: string,
  statusRevision: number,
  from: OrderStatus,
  to: OrderStatus,
  overrides: Partial<EventData<'order.status_changed'>> = {},
): NewEvent<'order.status_changed'> => ({
  type: 'order.status_changed',
  data: {
    orderId,
    statusRevision,
    from,
    to,
    by: { role: 'system' },
    at: minute(10 * statusRevision),
    ...overrides,
  },
});

export const BY_ADMIN = { by: { role: 'admin', id: 'admin-1', name: 'Luz' } } as const;

export const photo = (
  orderId: string,
  overrides: Partial<EventData<'photo.uploaded'>> = {},
): NewEvent<'photo.uploaded'> => ({
  type: 'photo.uploaded',
  data: {
    orderId,
    assignmentId: `assignment-${orderId}`,
    workerId: 'worker-ana',
    photoId: 'photo-1',
    filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    width: 1600,
    height: 1200,
    uploadedAt: minute(30),
    ...overrides,
  },
});

export function worker(id: string, overrides: Partial<WorkerWithLoad> = {}): WorkerWithLoad {
  return {
    id: id,
    code: id.toUpperCase(),
    name: `Worker ${id}`,
    email: `${id}@arboleda.test`,
    region: 'Quindío',
    language: 'es',
    active: true,
    capacityTrees: 100,
    sequence: 1,
    occurredAt: minute(0),
    openTrees: 0,
    openAssignments: 0,
    treesPlanted: 0,
    ...overrides,
  };
}

/** A submitted transfer that is not approved yet. */
export function paymentSubmitted(
  overrides: Partial<EventData<'payment.submitted'>> = {},
): NewEvent<'payment.submitted'> {
  const { data } = orderCreated();
  const { orderId, trees, packageType, amountMinor, currency, customer, language } = data;
  return {
    type: 'payment.submitted',
    data: {
      orderId,
      trees,
      packageType,
      amountMinor,
      currency,
      customer,
      language,
      paymentId: 'payment-1',
      method: { kind: 'transfer', bank: 'bancolombia' },
      evidenceFiles: [],
      submittedAt: minute(0),
      ...overrides,
    },
  };
}

/** An edit published by orders; `changed` names the fields. */
export const orderUpdated = (
  orderId: string,
  overrides: Partial<EventData<'order.updated'>> = {},
): NewEvent<'order.updated'> => ({
  type: 'order.updated',
  data: {
    orderId,
    trees: 5,
    amountMinor: 2000,
    currency: 'USD',
    language: 'es',
    changed: [],
    at: minute(5),
    customer: { name: 'María Pérez', email: 'maria@mail.test' },
    ...BY_ADMIN,
    ...overrides,
  },
});

export const packagePurchased = (
  orderId: string,
  overrides: Partial<EventData<'photo_package.purchased'>> = {},
): NewEvent<'photo_package.purchased'> => ({
  type: 'photo_package.purchased',
  data: {
    orderId,
    purchaseId: 'purchase-1',
    photoPackageType: 'first_year',
    amountMinor: 1500,
    currency: 'USD',
    transactionId: 'pi_2',
    language: 'es',
    purchasedAt: minute(25),
    customer: { name: 'María Pérez', email: 'maria@mail.test' },
    ...overrides,
  },
});

export const photoHidden = (orderId: string, photoId = 'photo-1'): NewEvent<'photo.hidden'> => ({
  type: 'photo.hidden',
  data: {
    orderId,
    assignmentId: `assignment-${orderId}`,
    photoId,
    filename: 'AAAAAAAAAAAAAAAAAAAAAA.jpg',
    ...BY_ADMIN,
    reason: 'A face is seen',
    at: minute(40),
  },
});

export const photoRestored = (orderId: string, photoId = 'photo-1'): NewEvent<'photo.restored'> => ({
  type: 'photo.restored',
  data: { ...photoHidden(orderId, photoId).data, reason: 'It is ours' },
});
