import { useQuery } from '@tanstack/react-query';
import { call } from './client.ts';

/** Product spec section 9: what is shown when the count cannot be had. */
export const DEFAULT_TREES_PLANTED = 50_000;

/** Trees planted; undefined while loading, the default when the call failed. */
export function useTreesPlanted(): number | undefined {
  const { data, error } = useQuery({
    queryKey: ['stats'],
    queryFn: async ({ signal }) => {
      try {
        return await call('GET /api/stats', { signal });
      } catch (failure) {
        if (!signal.aborted) console.error('The tree count could not be loaded', failure);
        throw failure;
      }
    },
    staleTime: 60_000,
  });
  return data?.treesPlanted ?? (error ? DEFAULT_TREES_PLANTED : undefined);
}
