import type { OrderDetails } from '../admin/orders/orders.ts';
import { customerOrder, finishedOrder } from './orders.ts';

/** Admin-only fields of an untouched order. */
const adminFields = (photos: ReturnType<typeof customerOrder>['photos']) => ({
  version: 1,
  updatedAt: '2026-11-20T15:00:00Z',
  paymentId: 'payment-1',
  manualPayment: undefined,
  photos: photos.map((photo, at) => ({ ...photo, photoId: `photo-${at}`, flags: [] })),
  refunds: [],
  disputes: [],
  growthPurchases: [],
  internalNotes: [],
  timeline: [],
});

/** An order in the admin's view. */
export const adminOrder = (changes: Partial<OrderDetails> = {}): OrderDetails => ({
  ...customerOrder(),
  ...adminFields([]),
  assignedWorker: undefined,
  revision: 1,
  ...changes,
});

/** The same order when completed. */
export const finishedAdminOrder = (): OrderDetails => ({
  ...finishedOrder(),
  ...adminFields(finishedOrder().photos),
  revision: 7,
  card: { brand: 'visa', last4: '4242' },
  assignedWorker: {
    workerId: 'w1',
    code: 'SQ-014',
    name: 'Marleny Ospina',
    email: 'marleny@mail.test',
    region: 'Quindío',
  },
  notes: 'Upper edge of the plot.',
});
