import type { Records } from '@arboleda/chassis/records.ts';
import { isPlanted } from '@arboleda/contracts/order.ts';
import { counted } from '@arboleda/orders/counters.ts';
import { positionOf } from '@arboleda/orders/listing.ts';
import type { Order } from '@arboleda/orders/order.ts';
import { type OrderStore, stamping } from '@arboleda/orders/store.ts';
import { emailKeyOf } from '@arboleda/orders/table.ts';
import type { MemoryRecords } from './records.ts';

/** The part of the store that consumers and checks use. */
export type Orders = Records<Order> & Pick<OrderStore, 'ofCustomer' | 'paidTrees'>;

export function memoryOrders(records: MemoryRecords<Order>, clock: () => Date): Orders {
  const placeOf = (order: Order) => positionOf(order, 'newest').join(' ');
  return {
    ...stamping(records, clock),
    async ofCustomer(emailKey, { after, limit }) {
      return records
        .all()
        .filter(({ customer }) => emailKeyOf(customer.email) === emailKey)
        .filter((order) => !after || placeOf(order) < after.join(' '))
        .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
        .slice(0, limit);
    },
    async paidTrees() {
      const paid = records
        .all()
        .map(counted)
        .filter(({ standing }) => standing === 'paid');
      const treesOf = (some: typeof paid) => some.reduce((sum, { trees }) => sum + trees, 0);
      return {
        funded: treesOf(paid),
        planted: treesOf(paid.filter(({ status }) => isPlanted(status))),
        photographed: treesOf(paid.filter((one) => one.is_photographed)),
      };
    },
  };
}
