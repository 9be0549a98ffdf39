import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { askedPauseMs } from '../api/refresh.ts';
import { useChanges } from '../api/use-changes.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { keepWork, keptWork } from './outbox/phone.ts';
import { type Assignment, countMove, type Work } from './tasks.ts';

/** How often an open page asks by itself, ms; and while photos that were sent are being prepared. */
const REFRESH_MS = 60_000;
const REFRESH_SOON_MS = 2_500;
/** A phone with one bar of signal shows what it knows meanwhile. */
const PATIENCE_MS = 15_000;

const keyOf = (workerId: string) => ['worker', 'work', workerId];

/**
 * One's own work: what this phone knows at once, then what the server says, again whenever something changes.
 * @param isAwaited whether photos that were sent are still to show up
 */
export function useWork({ call, person }: OpenSession<'worker'>, isAwaited: (work: Work) => boolean) {
  const queryClient = useQueryClient();
  const [openedAt] = useState(Date.now);
  const queryKey = useMemo(() => keyOf(person.id), [person.id]);
  const kept = useQuery({
    queryKey: [...queryKey, 'kept'],
    networkMode: 'always',
    staleTime: Infinity,
    queryFn: async () => (await keptWork(person.id)) ?? null,
  });
  const live = useQuery({
    queryKey,
    networkMode: 'always',
    retry: false,
    queryFn: async ({ signal }): Promise<Work> => {
      const [assignments, visits] = await Promise.all([
        call('GET /api/workers/assignments', { signal, timeoutMs: PATIENCE_MS }),
        call('GET /api/workers/growth-visits', { signal, timeoutMs: PATIENCE_MS }),
      ]);
      const work = { assignments, visits };
      await keepWork(person.id, work);
      return work;
    },
    refetchInterval: ({ state }) =>
      Math.max(state.data && isAwaited(state.data) ? REFRESH_SOON_MS : REFRESH_MS, askedPauseMs(state.error)),
  });
  const refresh = useCallback(
    () => queryClient.invalidateQueries({ queryKey, exact: true }),
    [queryClient, queryKey],
  );

  useChanges(`worker ${person.id}`, {
    open: (signal) => call('GET /api/workers/assignments/events', { signal, timeoutMs: Infinity }),
    onChange: () => void refresh(),
    onResume: () => void refresh(),
  });

  /** The server's own word on an assignment, before the whole list comes again. */
  const replace = useCallback(
    async (assignment: Assignment) => {
      // An answer that was asked for before this step would take it back for a moment.
      await queryClient.cancelQueries({ queryKey, exact: true });
      const known = queryClient.getQueryData<Work>(queryKey) ?? (await keptWork(person.id));
      if (!known) return;
      const work = withAssignment(known, assignment);
      queryClient.setQueryData(queryKey, work);
      await keepWork(person.id, work);
    },
    [queryClient, queryKey, person.id],
  );

  return {
    work: live.data ?? kept.data ?? undefined,
    /** When the server was last asked, ms. */
    asOf: Math.max(openedAt, live.dataUpdatedAt, live.errorUpdatedAt),
    isFailing: live.isError,
    hasLooked: !kept.isPending,
    retry: () => void live.refetch(),
    refresh,
    replace,
  };
}

export function withAssignment({ assignments, visits }: Work, changed: Assignment): Work {
  const before = assignments.assignments.find(({ _id }) => _id === changed._id);
  if (!before) return { assignments, visits };
  return {
    visits,
    assignments: {
      ...assignments,
      assignments: assignments.assignments.map((one) => (one === before ? changed : one)),
      stats: countMove(assignments.stats, before, changed),
    },
  };
}
