import { useEffect, useRef } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router-dom';

type Change = (current: URLSearchParams) => URLSearchParams;

/**
 * The search parameters of the address. Changes in quick succession build on each other, which the router's own setter
 * does not promise.
 */
export function useAddress(): [URLSearchParams, (change: Change, options?: NavigateOptions) => void] {
  const [search, setSearch] = useSearchParams();
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  const set = (change: Change, options?: NavigateOptions) => {
    latest.current = change(latest.current);
    setSearch(latest.current, options);
  };
  return [search, set];
}
