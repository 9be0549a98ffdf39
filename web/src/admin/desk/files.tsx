import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { type ImgHTMLAttributes, useLayoutEffect, useRef } from 'react';
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

type Props = Omit<ImgHTMLAttributes<HTMLImageElement>, 'src'> & { file: Blob; alt: string };

/** A picture that only this page can read: its address is made for it and given back with it. */
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
 * Starts a mutation that is not under way yet: a second click comes before the page has drawn the first one's effect,
 * so what the mutation says of itself is too late to tell.
 */
export function useOnce<Wish, Result>(mutation: Pick<UseMutationResult<Result, Error, Wish>, 'mutateAsync'>) {
  const isUnderWay = useRef(false);
  return (wish: Wish, { onSuccess, onError }: Then<Result> = {}): void => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void mutation
      .mutateAsync(wish)
      .finally(() => (isUnderWay.current = false))
      .then(onSuccess, (error: Error) => onError?.(error));
  };
}
