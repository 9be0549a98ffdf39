import type { MailFacts, MailKind } from './index.ts';

const order = { orderId: '65f0c0ffee65f0c0ff9f3c1a', orderToken: 'Zk3vX1qTz8mYw2LpQe7R9a', trees: 5 };
const planter = { name: 'Ana Lucía Ríos', region: 'Quindío' };

/** One of each kind, for tests and for looking at. */
export const SAMPLES: { [Kind in MailKind]: MailFacts[Kind] } = {
  receipt: {
    ...order,
    amountMinor: 8_230_000,
    currency: 'COP',
    card: { brand: 'visa', last4: '4242' },
    paidAt: '2026-11-21T20:00:00Z',
    transactionId: 'pi_3QK7e2LkdIwHu7ix0hYt4K2s',
  },
  assigned: { ...order, planter },
  'worker-assigned': {
    orderId: order.orderId,
    trees: 5,
    region: 'Quindío',
    assignedAt: '2026-11-21T20:00:00Z',
  },
  planted: {
    ...order,
    planter,
    plantedAt: '2026-11-25T20:00:00Z',
    place: 'Vereda Cocora, Salento',
    coordinates: { latitude: 4.637812, longitude: -75.487654 },
  },
  photos: { ...order, photos: 5 },
  completed: { ...order, completedAt: '2026-12-01T20:00:00Z' },
  'verify-email': {
    token: 'q2bq0wTj1m6V3r5Zt8Yw0xCkPnLh4sGfDaEuIoRvBzM',
    expiresAt: '2026-11-22T20:00:00Z',
  },
};
