import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersPublicEndpoints } from '@arboleda/contracts/endpoints/orders/public.ts';
import type { OrderStore } from '../store.ts';
import { publicView } from '../views/public.ts';
import { found } from './found.ts';

export const publicRoutes = (store: OrderStore): Handlers<typeof ordersPublicEndpoints> => ({
  async 'GET /api/track/{token}'({ params }) {
    return publicView(found(await store.byToken(params.token)));
  },
});
