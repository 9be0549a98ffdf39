import { useQuery } from '@tanstack/react-query';
import { DEFAULT_TREES_PLANTED, loadTreesPlanted } from './trees-planted.ts';

/** Trees planted; undefined while loading, the default after a failure. */
export function useTreesPlanted(): number | undefined {
  const { data, error } = useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => loadTreesPlanted(signal),
    staleTime: 60_000,
  });
  return data ?? (error ? DEFAULT_TREES_PLANTED : undefined);
}
