import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { adminRoutes } from './routes/admin.ts';
import { customerRoutes } from './routes/customer.ts';
import { publicRoutes } from './routes/public.ts';
import type { OrderStore } from './store.ts';

/** @param treesPlanted what the counter on the landing page shows. */
export function routes(
  store: OrderStore,
  treesPlanted: () => Promise<number>,
): Handlers<typeof ordersEndpoints> {
  return { ...publicRoutes(store, treesPlanted), ...customerRoutes(store), ...adminRoutes(store) };
}
