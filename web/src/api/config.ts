import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { call, type Answer } from './client.ts';

export type Config = Answer<'GET /api/config'>;

/** Configuration of this installation, constant while a page is open. */
export function useConfig(): UseQueryResult<Config> {
  return useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => call('GET /api/config', { signal }),
    staleTime: Infinity,
  });
}
