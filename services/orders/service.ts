import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { orderTokens } from '@arboleda/chassis/order-token.ts';
import { cachedFor, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import type { OrdersConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { openErasedAccounts } from './store/erased-accounts.ts';
import { readNotPlanted, readOverview, readStats } from './figures/figures.ts';
import { openOrderChanges } from './live.ts';
import { openGuestReceipts } from './receipts/guest-receipts.ts';
import { openReceiptNumbers } from './receipts/numbers.ts';
import { openReceipts } from './receipts/receipts.ts';
import { remembered } from './figures/remembered.ts';
import { routes } from './routes.ts';
import { MIGRATIONS, openStore } from './store/store.ts';

/** Beyond this age, cached figures of the landing page are reloaded before they are shown. */
const STATS_STALE_MS = 60_000;
/** Counting dead letters may mean reading them. */
const DEAD_COUNTED_EVERY_MS = 10_000;

/** Orders and their history: the authority on an order's status. */
export async function startOrders(config: OrdersConfig, overrides: Overrides = {}): Promise<RunningService> {
  const service = await openService('orders', config, overrides);
  const { clock, logger, platform } = service;
  const sql = await platform.sql('orders', MIGRATIONS);
  service.onClose(() => sql.close());
  const stored = openStore(sql, clock);
  const changes = openOrderChanges(stored, { clock, logger });
  const store = changes.withNotifications(stored);
  plainGauge(
    service.metrics,
    { name: 'live_listeners', help: 'People who listen for changes of orders' },
    async () => changes.listeners(),
  );
  const stats = remembered(() => readStats(store, config.statsBaselineTrees), {
    forMs: config.statsCacheMs,
    staleMs: STATS_STALE_MS,
    clock,
    logger,
  });
  // Reads every order to be planted, so it is cached longer the more there are.
  const notPlanted = remembered(() => readNotPlanted(store, clock()), {
    forMs: 0,
    staleMs: 0,
    clock,
    logger,
  });
  const deadLetters = cachedFor(DEAD_COUNTED_EVERY_MS, async () => (await platform.bus.deadLetters()).length);
  const overview = (days: number) => readOverview(store, { days, now: clock(), notPlanted, deadLetters });
  const receipts = await openReceipts(config.organisation);
  const guestReceipts = openGuestReceipts({ sql, receipts, secret: config.orderTokenSecret, clock });

  await service.subscribe(
    consumers(store, openErasedAccounts(sql), orderTokens(config.orderTokenSecret), openReceiptNumbers(sql)),
  );
  return service.listen(
    ordersEndpoints,
    routes({ store, changes, stats, overview, receipts, guestReceipts, clock }),
  );
}
