import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersAdminEndpoints } from '@arboleda/contracts/endpoints/orders/admin.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import type { OrderStore } from '../store.ts';
import { adminView, listView } from '../views.ts';
import { found } from './found.ts';

export function adminRoutes(store: OrderStore): Handlers<typeof ordersAdminEndpoints> {
  return {
    async 'GET /api/admin/orders/manage'({ query: { status, limit, cursor } }) {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const [listed, counts] = await Promise.all([
        store.page({ status, limit: limit + 1, ...(after && { after }) }),
        store.counts(),
      ]);
      const orders = listed.slice(0, limit);
      const last = orders.at(-1);
      return {
        orders: orders.map(listView),
        ...(listed.length > limit && last && { nextCursor: encodeCursor([last.createdAt, last._id]) }),
        counts: { all: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts },
      };
    },

    async 'GET /api/admin/orders/{id}'({ params }) {
      return { order: adminView(found(await store.orders.get(params.id))) };
    },
  };
}
