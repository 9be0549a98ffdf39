import type { UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

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
