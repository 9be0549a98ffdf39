import type { OrderDetails } from '../admin/orders.ts';
import { customerOrder, finishedOrder } from './orders.ts';

/** An order as the desk sees it. */
export const adminOrder = (changes: Partial<OrderDetails> = {}): OrderDetails => ({
  ...customerOrder(),
  assignedWorker: undefined,
  revision: 1,
  timeline: [],
  ...changes,
});

/** The same order at the end of its way. */
export const finishedAdminOrder = (): OrderDetails => ({
  ...finishedOrder(),
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
  timeline: [],
});
