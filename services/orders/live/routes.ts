import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import type { ordersLiveEndpoints } from '@arboleda/contracts/endpoints/orders/live.ts';
import type { Order } from '../order.ts';
import { found } from '../routes/found.ts';
import type { OrderStore } from '../store.ts';
import { changeOf, type OrderChanges } from './changes.ts';

/** Tells listeners that an order has changed; what it is now, they read by themselves. */
export function liveRoutes(store: OrderStore, changes: OrderChanges): Handlers<typeof ordersLiveEndpoints> {
  const listen = (who: string, signal: AbortSignal, isTheirs: (order: Order) => boolean) =>
    changes.listen({
      ...{ who, signal },
      messageOf: (order) => (isTheirs(order) ? changeOf(order) : undefined),
    });

  return {
    async 'GET /api/track/{token}/events'({ params, address, signal }) {
      const { _id } = found(await store.byToken(params.token));
      return listen(`at ${networkOf(address)}`, signal, (order) => order._id === _id);
    },

    async 'GET /api/customers/orders/events'({ person, signal }) {
      const own = person.emailVerified ? person.email?.toLowerCase() : undefined;
      return listen(
        `customer ${person.id}`,
        signal,
        ({ customer }) => own !== undefined && customer.email.toLowerCase() === own,
      );
    },

    'GET /api/admin/orders/events': async ({ person, signal }) =>
      listen(`admin ${person.id}`, signal, () => true),
  };
}
