import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import type { ordersCustomerEndpoints } from '@arboleda/contracts/endpoints/orders/customer.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { NO_STATS, readCustomerStats } from '../figures/customer-stats.ts';
import { decodeCursor, encodeCursor } from '../listing/cursor.ts';
import { positionOf } from '../listing/sort.ts';
import type { Order } from '../order.ts';
import type { Receipts } from '../receipts/receipts.ts';
import type { OrderStore } from '../store.ts';
import { customerView, exportView } from '../views/customer.ts';
import { found } from './found.ts';

const EXPORT_PAGE = 200;

export function customerRoutes(parts: {
  store: OrderStore;
  receipts: Receipts;
  clock: () => Date;
}): Handlers<typeof ordersCustomerEndpoints> {
  const { store, receipts, clock } = parts;
  return {
    async 'GET /api/customers/orders'({ person, query: { limit, cursor } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, 'newest').position;
      const own = addressOf(person);
      if (own === undefined) return { orders: [], emailVerified: false, stats: NO_STATS };
      const [listed, stats] = await Promise.all([
        store.ofCustomer(own, { after, limit: limit + 1 }),
        readCustomerStats(store, own),
      ]);
      const orders = listed.slice(0, limit);
      return {
        orders: orders.map(customerView),
        ...(listed.length > limit && { nextCursor: cursorBehind(orders.at(-1)!) }),
        emailVerified: true,
        stats,
      };
    },

    async 'GET /api/customers/orders/export'({ person, signal }) {
      const own = addressOf(person);
      const orders: Order[] = [];
      let page: Order[] = [];
      do {
        signal.throwIfAborted();
        const last = page.at(-1);
        const after = last && positionOf(last, 'newest');
        page = own === undefined ? [] : await store.ofCustomer(own, { after, limit: EXPORT_PAGE });
        orders.push(...page);
      } while (page.length === EXPORT_PAGE);
      return { exportedAt: clock().toISOString(), orders: orders.map(exportView) };
    },

    async 'GET /api/customers/orders/{id}/receipt'({ person, params, query: { language } }) {
      const order = found(await store.orders.get(params.id));
      if (order.customer.email.toLowerCase() !== addressOf(person)) throw new Problem('not-found');
      return receipts.of(order, language ?? order.language);
    },
  };
}

/** Only a verified address is proof that its orders are theirs. In lower case. */
const addressOf = ({ email, emailVerified }: Person): string | undefined =>
  emailVerified && email ? email.toLowerCase() : undefined;

const cursorBehind = (order: Order): string =>
  encodeCursor({ sort: 'newest', position: positionOf(order, 'newest') });
