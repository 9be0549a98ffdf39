import { useQuery } from '@tanstack/react-query';
import type { PortalCall } from '../../session/session.ts';

const REFRESH_MS = 30_000;

export interface PendingTransfers {
  total: number;
  /** When the oldest of them was sent. */
  oldestAt?: string | undefined;
}

/**
 * How many transfers wait for an admin; undefined until it is known. What decides on one invalidates
 * `['admin', 'transfers']`.
 */
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
