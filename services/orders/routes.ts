import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersEndpoints } from '@arboleda/contracts/endpoints/orders.ts';
import { figuresRoutes } from './figures/routes.ts';
import type { Overview } from './figures/overview.ts';
import type { Stats } from './figures/stats.ts';
import type { OrderChanges } from './live/changes.ts';
import { liveRoutes } from './live/routes.ts';
import type { Receipts } from './receipts/receipts.ts';
import { adminRoutes } from './routes/admin.ts';
import { customerRoutes } from './routes/customer.ts';
import { publicRoutes } from './routes/public.ts';
import type { OrderStore } from './store.ts';

export const routes = (parts: {
  store: OrderStore;
  changes: OrderChanges;
  /** What the landing page shows. */
  stats: () => Promise<Stats>;
  overview: (days: number) => Promise<Overview>;
  receipts: Receipts;
  clock: () => Date;
}): Handlers<typeof ordersEndpoints> => ({
  ...publicRoutes(parts.store),
  ...customerRoutes(parts),
  ...adminRoutes(parts.store, parts.clock),
  ...figuresRoutes(parts),
  ...liveRoutes(parts.store, parts.changes),
});
