import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';

export type Worker = Answer<'GET /api/admin/workers'>['workers'][number];
export type Workload = Answer<'GET /api/admin/workers/workloads'>['workers'][number];

/** Workload by worker's id, from another service than accounts. */
export function useWorkloads(call: PortalCall) {
  const may = useMay();
  return useQuery({
    queryKey: ['admin', 'workloads'],
    enabled: may('workers:read'),
    queryFn: async ({ signal }) => {
      const byId = new Map<string, Workload>();
      let cursor: string | undefined;
      do {
        const page: Answer<'GET /api/admin/workers/workloads'> = await call(
          'GET /api/admin/workers/workloads',
          {
            query: { limit: 100, cursor },
            signal,
          },
        );
        for (const one of page.workers) byId.set(one.workerId, one);
        cursor = page.nextCursor;
      } while (cursor);
      return byId;
    },
  });
}

/** Active workers for an order, best first. */
export const useCandidates = (call: PortalCall, orderId: string) =>
  useQuery({
    queryKey: ['admin', 'workloads', orderId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/workers/workloads', { query: { orderId, limit: 100 }, signal })).workers,
    staleTime: 0,
  });

export function useWorkerAction<Variables>(act: (variables: Variables) => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () =>
      Promise.all(
        ['workers', 'workloads'].map((name) => queryClient.invalidateQueries({ queryKey: ['admin', name] })),
      ),
  });
}

/** Share of capacity in use, 0 to 1; above 1 when an admin exceeded it. */
export const takenOf = ({ openTrees, capacityTrees }: Workload): number =>
  capacityTrees === 0 ? (openTrees > 0 ? 1 : 0) : openTrees / capacityTrees;
