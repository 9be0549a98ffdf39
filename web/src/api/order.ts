import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call, type Answer } from './client.ts';
import { isProblem } from './problem.ts';

export type PublicOrder = Answer<'GET /api/track/{token}'>;

/** While the payment's event is on its way the order does not exist yet: ask often, then less. */
const CONFIRMING_MS = 1500;
const FOLLOWING_MS = 5000;

/**
 * An order by its private link, kept fresh while the page is visible; `null` while the server does not know it
 * (yet).
 */
export function useOrder(token: string): UseQueryResult<PublicOrder | null> {
  return useQuery({
    queryKey: ['order', token],
    queryFn: async ({ signal }) => {
      try {
        return await call('GET /api/track/{token}', { params: { token }, signal });
      } catch (failure) {
        if (isProblem(failure, 'not-found') || isProblem(failure, 'validation-failed')) return null;
        throw failure;
      }
    },
    refetchInterval: ({ state }) => (state.data ? FOLLOWING_MS : CONFIRMING_MS),
  });
}
