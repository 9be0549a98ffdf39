import { useQuery } from '@tanstack/react-query';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';

const REFRESH_MS = 30_000;

export interface PendingTransfers {
  total: number;
  oldestAt?: string | undefined;
}

/** Number of waiting transfers; undefined until known. Decisions invalidate `['admin', 'transfers']`. */
export function usePendingCount(call: PortalCall): PendingTransfers | undefined {
  const may = useMay();
  return useQuery({
    queryKey: ['admin', 'transfers', 'pending-count'],
    enabled: may('payments:read'),
    queryFn: async ({ signal }): Promise<PendingTransfers> => {
      const { total, oldestAt } = await call('GET /api/admin/manual-payments/pending-verification', {
        query: { limit: 1 },
        signal,
      });
      return { total, oldestAt };
    },
    refetchInterval: REFRESH_MS,
  }).data;
}
