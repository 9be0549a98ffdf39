import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersFiguresEndpoints } from '@arboleda/contracts/endpoints/orders/figures.ts';
import type { OrderStore } from '../store.ts';
import { readOverview } from './overview.ts';
import type { Stats } from './stats.ts';

export const figuresRoutes = (parts: {
  store: OrderStore;
  stats: () => Promise<Stats>;
  deadLetters: () => Promise<number>;
  clock: () => Date;
}): Handlers<typeof ordersFiguresEndpoints> => ({
  'GET /api/stats': parts.stats,
  'GET /api/admin/overview': ({ query: { days } }) =>
    readOverview(parts.store, { days, now: parts.clock(), deadLetters: parts.deadLetters }),
});
