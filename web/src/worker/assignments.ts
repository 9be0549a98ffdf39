import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../api/client.ts';
import type { PortalCall } from '../session/session.ts';

export type Assignments = Answer<'GET /api/workers/assignments'>;
export type Assignment = Assignments['assignments'][number];

const KEY = ['worker', 'assignments'];
/** How often an open page looks for new work, ms. */
const REFRESH_MS = 10_000;

/** One's own assignments, what is to be done first. */
export const useAssignments = (call: PortalCall) =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('GET /api/workers/assignments', { signal }),
    refetchInterval: REFRESH_MS,
  });

/** Asks for the assignments again, for what others do with a delay (photos being prepared). */
export function useRefreshAssignments(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: KEY });
}

/** Moves an assignment forward: assigned → planted → completed. */
export function useStatusChange(call: PortalCall, assignment: Assignment) {
  const refresh = useRefreshAssignments();
  return useMutation({
    mutationFn: (body: { status: 'planted' | 'completed'; notes?: string }) =>
      call('PUT /api/workers/assignments/{id}/status', { params: { id: assignment._id }, body }),
    onSettled: refresh,
  });
}
