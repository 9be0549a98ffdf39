import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { askedNumber, seldom } from '@arboleda/chassis/http/gauge.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import type { OrdersConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { readNotPlanted, readOverview } from './figures/overview.ts';
import { remembered } from './figures/remembered.ts';
import { readStats } from './figures/stats.ts';
import { openOrderChanges } from './live/changes.ts';
import { openReceipts } from './receipts/receipts.ts';
import { routes } from './routes.ts';
import { openStore } from './store.ts';
import { openErasedAccounts } from './store/erased-accounts.ts';

/** Figures of the landing page that are older than this are not handed out while newer ones can be had. */
const STATS_STALE_MS = 60_000;
/** Counting the dead may mean reading them. */
const DEAD_COUNTED_EVERY_MS = 10_000;

/** Orders and their history: the authority on an order's status. */
export async function startOrders(config: OrdersConfig, overrides: Overrides = {}): Promise<RunningService> {
  const service = await openService('orders', config, overrides);
  const documents = await service.platform.documents('orders');
  const { clock, logger, platform } = service;
  const kept = await openStore(documents, clock);
  const changes = openOrderChanges(kept.orders, { clock, logger });
  const store = { ...kept, orders: changes.telling(kept.orders) };
  askedNumber(
    service.metrics,
    { name: 'live_listeners', help: 'People who listen for changes of orders' },
    async () => changes.listeners(),
  );
  const stats = remembered(() => readStats(store, config.statsBaselineTrees), {
    ...{ forMs: config.statsCacheMs, staleMs: STATS_STALE_MS, clock, logger },
  });
  // Of a hundred thousand orders that wait to be planted each is looked at: the more there are, the longer it is remembered.
  const notPlanted = remembered(() => readNotPlanted(store, clock()), {
    ...{ forMs: 0, staleMs: 0, clock, logger },
  });
  const deadLetters = seldom(DEAD_COUNTED_EVERY_MS, async () => (await platform.bus.deadLetters()).length);
  const overview = (days: number) => readOverview(store, { days, now: clock(), notPlanted, deadLetters });
  const receipts = await openReceipts(config.organisation);

  await service.subscribe(consumers(store, await openErasedAccounts(documents)));
  return service.listen(ordersEndpoints, routes({ store, changes, stats, overview, receipts, clock }));
}
