import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { askedPauseMs, refreshEvery } from '../api/refresh.ts';
import { useChanges } from '../api/use-changes.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import type { UnshowablePhoto } from './field.ts';
import { readWork, saveWork } from './outbox/use-outbox.ts';
import { type Assignment, countMove, type Work } from './tasks.ts';

/** Polling intervals in ms: usual, and while sent photos are being processed. */
const REFRESH_MS = 60_000;
const REFRESH_SOON_MS = 2_500;
/** After this a slow line shows the stored tasks. */
const LOAD_TIMEOUT_MS = 15_000;

const keyOf = (workerId: string) => ['worker', 'work', workerId];

/**
 * Own tasks: stored ones first, then the server's, refreshed on changes.
 * @param isAwaited whether sent photos are still to appear
 */
export function useWork({ call, person }: OpenSession<'worker'>, isAwaited: (work: Work) => boolean) {
  const queryClient = useQueryClient();
  const [openedAt] = useState(Date.now);
  const queryKey = useMemo(() => keyOf(person.id), [person.id]);
  const kept = useQuery({
    queryKey: [...queryKey, 'kept'],
    networkMode: 'always',
    staleTime: Infinity,
    queryFn: async () => (await readWork(person.id)) ?? null,
  });
  const live = useQuery({
    queryKey,
    networkMode: 'always',
    retry: false,
    queryFn: async ({ signal }): Promise<Work> => {
      const [assignments, visits] = await Promise.all([
        call('GET /api/workers/assignments', { signal, timeoutMs: LOAD_TIMEOUT_MS }),
        call('GET /api/workers/growth-visits', { signal, timeoutMs: LOAD_TIMEOUT_MS }),
      ]);
      const work = { assignments, visits };
      await saveWork(person.id, work);
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

  /** Applies the server's answer to one assignment before the list reloads. */
  const replace = useCallback(
    async (assignment: Assignment) => {
      // An older pending answer would briefly revert this step.
      await queryClient.cancelQueries({ queryKey, exact: true });
      const known = queryClient.getQueryData<Work>(queryKey) ?? (await readWork(person.id));
      if (!known) return;
      const work = withAssignment(known, assignment);
      queryClient.setQueryData(queryKey, work);
      await saveWork(person.id, work);
    },
    [queryClient, queryKey, person.id],
  );

  return {
    work: live.data ?? kept.data ?? undefined,
    /** Time of the last request to the server, ms. */
    asOf: Math.max(openedAt, live.dataUpdatedAt, live.errorUpdatedAt),
    isFailing: live.isError,
    hasLooked: !kept.isPending,
    retry: () => void live.refetch(),
    refresh,
    replace,
  };
}

/** Own photos that cannot be shown, whichever phone sent them. */
export const useUnshowable = ({ call, person }: OpenSession<'worker'>): readonly UnshowablePhoto[] =>
  useQuery({
    queryKey: ['worker', 'unshowable', person.id],
    networkMode: 'always',
    retry: false,
    queryFn: async ({ signal }) => (await call('GET /api/workers/photos', { signal })).photos,
    refetchInterval: refreshEvery(REFRESH_MS),
  }).data ?? [];

function withAssignment({ assignments, visits }: Work, changed: Assignment): Work {
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
