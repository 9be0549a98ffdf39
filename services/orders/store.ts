import type { Collection, Documents } from '@arboleda/chassis/ports/documents.ts';
import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { type Counted, COUNTED_TO, countsOf } from './listing/counts.ts';
import { type Filter, whereOf } from './listing/filter.ts';
import { type Position, type Sort, SORTS } from './listing/sort.ts';
import type { Order } from './order.ts';
import { asOrders } from './store/collection.ts';
import type { StoredOrder } from './store/stored.ts';

export interface OrderStore {
  orders: Collection<Order>;
  byToken(token: string): Promise<Order | undefined>;
  /** Newest first, at most `limit`, behind `after`; those whose money is not there yet among them. @param emailKey in lower case. */
  ofCustomer(emailKey: string, page: { after?: Position | undefined; limit: number }): Promise<Order[]>;
  /** At most `limit` of those whose money is there, behind `after`. */
  page(query: { filter: Filter; sort: Sort; after?: Position | undefined; limit: number }): Promise<Order[]>;
  /** Of all that the filter finds, whatever status it asks for; of what words find up to a bound. */
  counts(filter: Filter): Promise<Counted>;
}

const NEWEST = { createdAt: 'desc', _id: 'desc' } as const;
const STANDING = { 'figures.standing': 'asc', 'progress.status': 'asc' } as const;

/** @param countedTo how many at most are counted of what words find */
export async function openStore(
  documents: Documents,
  clock: () => Date = () => new Date(),
  countedTo = COUNTED_TO,
): Promise<OrderStore> {
  const stored = await documents.collection<StoredOrder>({
    name: 'orders',
    indexes: [
      { name: 'token', fields: { token: 'asc' }, unique: true },
      { name: 'customer', fields: { emailKey: 'asc', createdAt: 'desc', _id: 'desc' } },
      { name: 'newest', fields: NEWEST },
      { name: 'newest_of_status', fields: { 'progress.status': 'asc', createdAt: 'desc', _id: 'desc' } },
      { name: 'trees', fields: { trees: 'desc', _id: 'desc' } },
      { name: 'amount', fields: { currency: 'desc', amountMinor: 'desc', _id: 'desc' } },
      { name: 'name', fields: { nameKey: 'asc', _id: 'asc' } },
      { name: 'changed', fields: { updatedAt: 'asc', _id: 'asc' } },
      {
        name: 'words',
        list: 'words',
        by: ['progress.status', 'unpaid', 'createdAt', 'nameKey'],
        order: NEWEST,
      },
      { name: 'unpaid', fields: { unpaid: 'asc', 'progress.status': 'asc', createdAt: 'desc', _id: 'desc' } },
      { name: 'standing', fields: { ...STANDING, createdAt: 'asc', _id: 'asc' } },
      { name: 'not_planted', fields: { ...STANDING, 'progress.assignedAt': 'asc' } },
      { name: 'day', fields: { 'figures.day': 'asc', 'figures.standing': 'asc' } },
    ],
    tallies: [
      {
        name: 'standing',
        by: ['progress.status', 'figures.standing', 'unpaid', 'figures.isPhotographed'],
        sums: ['trees'],
      },
      {
        name: 'days',
        by: ['figures.day', 'figures.dayCurrency', 'figures.standing'],
        sums: ['trees', 'amountMinor', 'refundedMinor', 'lostMinor'],
      },
    ],
  });
  const orders = asOrders(stored, clock);
  /** What a tally or one index tells of each status costs less than reading all orders once. */
  const countEach = async (filter: Filter): Promise<Record<string, number>> => {
    const count = async (status: OrderStatus) =>
      [status, await orders.count(whereOf({ ...filter, status }))] as const;
    return Object.fromEntries(await Promise.all(ORDER_STATUSES.map(count)));
  };
  return {
    orders,
    async byToken(token) {
      const [order] = await orders.find({ where: { token }, limit: 1 });
      return order;
    },
    ofCustomer: (emailKey, { after, limit }) =>
      orders.find({ where: { emailKey }, sort: SORTS.newest, ...(after && { after }), limit }),
    page: ({ filter, sort, after, limit }) =>
      orders.find({ where: whereOf(filter), sort: SORTS[sort], ...(after && { after }), limit }),
    async counts({ status: _all, ...filter }) {
      const where = whereOf(filter);
      if (!where.words) return countsOf(await countEach(filter));
      // Read once, and told apart by status.
      const counted = await orders.countBy('progress.status', where, { atMost: countedTo + 1 });
      return countsOf(counted, countedTo);
    },
  };
}
