import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../api/client.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import type { PortalCall } from '../session/session.ts';

export type Assignments = Answer<'GET /api/workers/assignments'>;
export type Assignment = Assignments['assignments'][number];

const KEY = ['worker', 'assignments'];
/** How often an open page looks for new work, ms; and while photos that were sent are being prepared. */
const REFRESH_MS = 10_000;
const REFRESH_SOON_MS = 1_500;

/** One's own assignments, what is to be done first. */
export const useAssignments = (
  { call, person }: OpenSession<'worker'>,
  isAwaited: (assignments: readonly Assignment[]) => boolean,
) =>
  useQuery({
    queryKey: [...KEY, person.id],
    queryFn: ({ signal }) => call('GET /api/workers/assignments', { signal }),
    refetchInterval: ({ state }) => (isAwaited(state.data?.assignments ?? []) ? REFRESH_SOON_MS : REFRESH_MS),
  });

/** Asks for the assignments again, for what others do with a delay. */
export function useRefreshAssignments(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: KEY });
}

export type Step = 'planted' | 'completed';

/** The one step forward from here; undefined at the end of the way. */
export function nextStep({ status }: Pick<Assignment, 'status'>): Step | undefined {
  if (status === 'assigned') return 'planted';
  return status === 'planted' ? 'completed' : undefined;
}

/** Moves an assignment forward: assigned → planted → completed. */
export function useStatusChange(
  call: PortalCall,
  assignment: Assignment,
  onMoved: (assignment: Assignment, status: Step) => void,
) {
  const refresh = useRefreshAssignments();
  return useMutation({
    mutationFn: (body: { status: Step; notes?: string }) =>
      call('PUT /api/workers/assignments/{id}/status', { params: { id: assignment._id }, body }),
    onSettled: refresh,
    onSuccess: (_answer, { status }) => onMoved(assignment, status),
  });
}

export interface Arranged {
  /** What the worker is at, or what comes first. */
  now: Assignment | undefined;
  later: Assignment[];
  done: Assignment[];
}

/** @param atId the assignment that the worker moved last: it stays in its place until it is completed */
export function arrange(assignments: readonly Assignment[], atId?: string): Arranged {
  const open = assignments.filter(({ status }) => status !== 'completed');
  const now = open.find(({ _id }) => _id === atId) ?? open[0];
  return {
    now,
    later: open.filter((one) => one !== now),
    done: assignments.filter(({ status }) => status === 'completed'),
  };
}
