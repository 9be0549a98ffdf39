import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { ordersFiguresEndpoints } from '@arboleda/contracts/endpoints/orders/figures.ts';
import type { Overview } from './overview.ts';
import type { Stats } from './stats.ts';

export const figuresRoutes = (parts: {
  stats: () => Promise<Stats>;
  overview: (days: number) => Promise<Overview>;
}): Handlers<typeof ordersFiguresEndpoints> => ({
  'GET /api/stats': parts.stats,
  'GET /api/admin/overview': ({ query: { days } }) => parts.overview(days),
});
