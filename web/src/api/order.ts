import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { call, type Answer } from './client.ts';
import { isProblem } from './problem.ts';
import { refreshEvery } from './refresh.ts';
import { useChanges } from './use-changes.ts';

export type PublicOrder = Answer<'GET /api/track/{token}'>;

/** While the payment's event is on its way the order does not exist yet: ask often. */
const CONFIRMING_MS = 1_500;
/** Changes come by themselves; this is for what a broken line may have missed. */
const FOLLOWING_MS = 60_000;

/**
 * An order by its private link, kept fresh while the page is visible; `null` while the server does not know it
 * (yet).
 */
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
