import { useQuery } from '@tanstack/react-query';
import type { PortalCall } from '../../session/session.ts';

const REFRESH_MS = 60_000;

/** Count of all orders; undefined until known. */
export const useOrderCount = (call: PortalCall): number | undefined =>
  useQuery({
    queryKey: ['admin', 'order-count'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/orders/manage', { query: { limit: 1 }, signal })).counts.all,
    refetchInterval: REFRESH_MS,
  }).data;
