import { useQuery } from '@tanstack/react-query';
import { worthRetrying } from '../../app/query-client.ts';

interface PrivateFile {
  /** Undefined until it is there. */
  file: Blob | undefined;
  isFailed: boolean;
}

/**
 * A file that needs the token, fetched once while the page is open.
 * @param key names the file among all queries of the role, so that logging out forgets it
 */
export function usePrivateFile(
  key: readonly string[],
  read: (signal: AbortSignal) => Promise<Blob>,
): PrivateFile {
  const { data, isError } = useQuery({
    queryKey: ['admin', 'file', ...key],
    queryFn: ({ signal }) => read(signal),
    staleTime: Infinity,
    retry: (failures, error) => failures < 1 && worthRetrying(failures, error),
  });
  return { file: data, isFailed: isError };
}
