import { useQuery } from '@tanstack/react-query';
import type { PortalCall } from '../../session/session.ts';

const REFRESH_MS = 30_000;

export interface PendingTransfers {
  total: number;
  oldestAt?: string | undefined;
}

/** Number of waiting transfers; undefined until known. Decisions invalidate `['admin', 'transfers']`. */
export const usePendingCount = (call: PortalCall): PendingTransfers | undefined =>
  useQuery({
    queryKey: ['admin', 'transfers', 'pending-count'],
    queryFn: async ({ signal }): Promise<PendingTransfers> => {
      const { total, oldestAt } = await call('GET /api/admin/manual-payments/pending-verification', {
        query: { limit: 1 },
        signal,
      });
      return { total, oldestAt };
    },
    refetchInterval: REFRESH_MS,
  }).data;
