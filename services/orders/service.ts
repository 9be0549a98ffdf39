import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import type { OrdersConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { routes } from './routes.ts';
import { remembered } from './stats.ts';
import { openStore } from './store.ts';

/** Orders and their history: the authority on an order's status. */
export async function startOrders(config: OrdersConfig, overrides: Overrides = {}): Promise<RunningService> {
  const service = await openService('orders', config, overrides);
  const documents = await service.platform.documents('orders');
  const store = await openStore(documents);
  const treesPlanted = remembered(
    async () => config.statsBaselineTrees + (await store.treesPlanted()),
    config.statsCacheMs,
    service.clock,
  );
  await service.subscribe(consumers(store));
  return service.listen(ordersEndpoints, routes(store, treesPlanted));
}
