import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import type { PortalCall } from '../../session/session.ts';
import { KEYS } from './orders.ts';

export type Assignment = Answer<'GET /api/admin/orders/{id}/assignment'>['assignment'];
export type Candidate = Answer<'GET /api/admin/workers/workloads'>['workers'][number];

/** Current and earlier workers of an order, and its growth visits. */
export const useAssignment = (call: PortalCall, id: string) =>
  useQuery({
    queryKey: KEYS.part(id, 'assignment'),
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/orders/{id}/assignment', { params: { id }, signal })).assignment,
  });
export type AskedAssignment = ReturnType<typeof useAssignment>;

/** Active workers, best match first. */
export const useCandidates = (call: PortalCall, orderId: string) =>
  useQuery({
    queryKey: ['admin', 'candidates', orderId],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/workers/workloads', { query: { orderId, limit: 100 }, signal })).workers,
    staleTime: 0,
  });

export function useAssign(call: PortalCall, assignment: Assignment, onDone: (overTrees: number) => void) {
  const queries = useQueryClient();
  const id = assignment.orderId;
  return useMutation({
    mutationFn: ({ workerId, reason }: { workerId: string; reason: string }) =>
      call('PUT /api/admin/orders/{id}/assignment', {
        params: { id },
        body: { workerId, ...(reason && { reason }) },
        ifMatch: String(assignment.revision),
      }),
    onSuccess: (answer) => {
      queries.setQueryData(KEYS.part(id, 'assignment'), answer.assignment);
      onDone(answer.overCapacityTrees);
    },
    // Reload even after a refusal: another admin may have reassigned it.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: KEYS.order(id) });
      void queries.invalidateQueries({ queryKey: KEYS.lists });
      void queries.invalidateQueries({ queryKey: ['admin', 'candidates', id] });
    },
  });
}
