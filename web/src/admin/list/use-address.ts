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

type Changes = Record<string, string | null>;

interface Search {
  get(name: string): string | null;
  /** Changes search parameters; null removes one. `replace` adds no history entry. */
  set(changes: Changes, options?: { replace?: boolean }): void;
}

/** Filters and open dialogs live in the address, so they can be shared, reloaded and undone by going back. */
export function useSearch(): Search {
  const [search, setSearch] = useAddress();
  return {
    get: (name) => search.get(name),
    set: (changes, { replace = false } = {}) =>
      setSearch((current) => changed(current, changes), { replace }),
  };
}

function changed(current: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value);
    else next.delete(name);
  return next;
}

/** The choice named by the address; the first by default. */
export const choiceOf = <Choice extends string>(value: string | null, choices: readonly Choice[]): Choice =>
  choices.find((choice) => choice === value) ?? choices[0]!;
