import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersPublicEndpoints } from '@arboleda/contracts/endpoints/orders/public.ts';
import type { OrderStore } from '../store.ts';
import { publicView } from '../views.ts';
import { found } from './found.ts';

/** @param treesPlanted what the counter on the landing page shows. */
export function publicRoutes(
  store: OrderStore,
  treesPlanted: () => Promise<number>,
): Handlers<typeof ordersPublicEndpoints> {
  return {
    async 'GET /api/stats'() {
      return { treesPlanted: await treesPlanted() };
    },

    async 'GET /api/track/{token}'({ params }) {
      return publicView(found(await store.byToken(params.token)));
    },
  };
}
