import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { type ImgHTMLAttributes, useLayoutEffect, useRef } from 'react';
import { shouldRetry } from '../../api/query-client.ts';

interface PrivateFile {
  file: Blob | undefined;
  isFailed: boolean;
}

/**
 * Loads a file that needs the token, once per page visit.
 * @param key query key within the role, so that logging out clears it
 */
export function usePrivateFile(
  key: readonly string[],
  read: (signal: AbortSignal) => Promise<Blob>,
): PrivateFile {
  const { data, isError } = useQuery({
    queryKey: ['admin', 'file', ...key],
    queryFn: ({ signal }) => read(signal),
    staleTime: Infinity,
    retry: (failures, error) => failures < 1 && shouldRetry(failures, error),
  });
  return { file: data, isFailed: isError };
}

type Props = Omit<ImgHTMLAttributes<HTMLImageElement>, 'src'> & { file: Blob; alt: string };

/** A picture only this page can read; its object URL is revoked when it leaves. */
export function FileImage({ file, alt, ...rest }: Props) {
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const address = URL.createObjectURL(file);
    image.current!.src = address;
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return <img {...rest} ref={image} alt={alt} />;
}

interface Then<Result> {
  onSuccess?: (result: Result) => void;
  onError?: (error: Error) => void;
}

/**
 * Starts a mutation unless one is running. Uses a ref because a double click arrives before React renders the pending
 * state.
 */
export function useOnce<Variables, Result>(
  mutation: Pick<UseMutationResult<Result, Error, Variables>, 'mutateAsync'>,
) {
  const isUnderWay = useRef(false);
  return (variables: Variables, { onSuccess, onError }: Then<Result> = {}): void => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void mutation
      .mutateAsync(variables)
      .finally(() => (isUnderWay.current = false))
      .then(onSuccess, (error: Error) => onError?.(error));
  };
}
