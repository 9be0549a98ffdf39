import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Order } from './order.ts';
import type { OrderStore } from './store.ts';
import { adminView, customerView, listView, publicView } from './views.ts';

/** @param treesPlanted what the counter on the landing page shows. */
export function routes(
  store: OrderStore,
  treesPlanted: () => Promise<number>,
): Handlers<typeof ordersEndpoints> {
  return {
    async 'GET /api/stats'() {
      return { treesPlanted: await treesPlanted() };
    },

    async 'GET /api/track/{token}'({ params }) {
      return publicView(found(await store.byToken(params.token)));
    },

    /** Only a verified address is proof that these orders are theirs. */
    async 'GET /api/customers/orders'({ person }) {
      if (!person.emailVerified || !person.email) return { orders: [], emailVerified: false };
      const orders = await store.ofCustomer(person.email.toLowerCase());
      return { orders: orders.map(customerView), emailVerified: true };
    },

    async 'GET /api/admin/orders/manage'({ query: { status, limit, cursor } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const [found, counts] = await Promise.all([
        store.page({ status, limit: limit + 1, ...(after && { after }) }),
        store.counts(),
      ]);
      const orders = found.slice(0, limit);
      const last = orders.at(-1);
      return {
        orders: orders.map(listView),
        ...(found.length > limit && last && { nextCursor: encodeCursor([last.createdAt, last._id]) }),
        counts: { all: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts },
      };
    },

    async 'GET /api/admin/orders/{id}'({ params }) {
      return { order: adminView(found(await store.orders.get(params.id))) };
    },
  };
}

function found(order: Order | undefined): Order {
  if (!order) throw new Problem('not-found');
  return order;
}
