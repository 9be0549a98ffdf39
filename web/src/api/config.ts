import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call, type Answer } from './client.ts';

export type Config = Answer<'GET /api/config'>;

/** What this installation is like; it does not change while a page is open. */
export function useConfig(): UseQueryResult<Config> {
  return useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => call('GET /api/config', { signal }),
    staleTime: Infinity,
  });
}
