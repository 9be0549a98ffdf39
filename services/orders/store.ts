import type { Collection, Documents } from '@arboleda/chassis/ports/documents.ts';
import { ORDER_STATUSES, type OrderStatus, PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import type { Position } from './cursor.ts';
import type { Order } from './order.ts';

/** More than anybody buys; keeps one answer bounded. */
const MAX_ORDERS_OF_A_CUSTOMER = 1000;

const NEWEST_FIRST = [
  { field: 'createdAt', direction: 'desc' },
  { field: '_id', direction: 'desc' },
] as const;

export interface OrderStore {
  orders: Collection<Order>;
  byToken(token: string): Promise<Order | undefined>;
  /** Newest first. @param emailKey in lower case. */
  ofCustomer(emailKey: string): Promise<Order[]>;
  /** Newest first, at most `limit`, behind `after`. */
  page(query: { status?: OrderStatus | undefined; after?: Position; limit: number }): Promise<Order[]>;
  counts(): Promise<Record<OrderStatus, number>>;
  /** Trees of planted and completed orders. */
  treesPlanted(): Promise<number>;
}

export async function openStore(documents: Documents): Promise<OrderStore> {
  const orders = await documents.collection<Order>({
    name: 'orders',
    indexes: [
      { name: 'token', fields: { token: 'asc' }, unique: true },
      { name: 'customer', fields: { emailKey: 'asc', createdAt: 'desc', _id: 'desc' } },
      { name: 'newest', fields: { createdAt: 'desc', _id: 'desc' } },
      { name: 'newest_of_status', fields: { 'progress.status': 'asc', createdAt: 'desc', _id: 'desc' } },
    ],
  });
  return {
    orders,
    async byToken(token) {
      const [order] = await orders.find({ where: { token }, limit: 1 });
      return order;
    },
    ofCustomer: (emailKey) =>
      orders.find({ where: { emailKey }, sort: NEWEST_FIRST, limit: MAX_ORDERS_OF_A_CUSTOMER }),
    page: ({ status, after, limit }) =>
      orders.find({
        ...(status && { where: { 'progress.status': status } }),
        sort: NEWEST_FIRST,
        ...(after && { after }),
        limit,
      }),
    async counts() {
      const counted = await orders.countBy('progress.status');
      return Object.fromEntries(ORDER_STATUSES.map((status) => [status, counted[status] ?? 0])) as Record<
        OrderStatus,
        number
      >;
    },
    treesPlanted: () => orders.sum('trees', { 'progress.status': { in: PLANTED_STATUSES } }),
  };
}
