import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { call, type Answer } from './client.ts';
import { isProblem } from './problem.ts';
import { refreshEvery } from './refresh.ts';
import { useChanges } from './use-changes.ts';

export type PublicOrder = Answer<'GET /api/track/{token}'>;

/** The order does not exist until the payment's event arrives, so poll often. */
const CONFIRMING_MS = 1_500;
/** Fallback for changes missed by a broken stream. */
const FOLLOWING_MS = 60_000;

/** An order by its private link, refreshed while the page is visible; `null` while the server does not know it. */
export function useOrder(token: string): UseQueryResult<PublicOrder | null> {
  const queryClient = useQueryClient();
  const queryKey = ['order', token];
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      try {
        return await call('GET /api/track/{token}', { params: { token }, signal });
      } catch (failure) {
        if (isProblem(failure, 'not-found') || isProblem(failure, 'validation-failed')) return null;
        throw failure;
      }
    },
    refetchInterval: ({ state }) =>
      refreshEvery(state.data === null ? CONFIRMING_MS : FOLLOWING_MS)({ state }),
  });
  const look = () => void queryClient.invalidateQueries({ queryKey });
  useChanges<'GET /api/track/{token}/events'>(`order ${token}`, {
    open: (signal) =>
      call('GET /api/track/{token}/events', { params: { token }, signal, timeoutMs: Infinity }),
    onChange: look,
    onResume: look,
    enabled: Boolean(query.data),
  });
  return query;
}
