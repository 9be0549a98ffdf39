import { useSearchParams } from 'react-router-dom';

type Changes = Record<string, string | null>;

export interface Search {
  get(name: string): string | null;
  /** Changes parts of the address, null takes one out. `replace` when going back shall not lead here again. */
  set(changes: Changes, options?: { replace?: boolean }): void;
}

/** What a panel is filtered by and what is open in it live in the address: shared, reloaded, gone back to. */
export function useSearch(): Search {
  const [search, setSearch] = useSearchParams();
  return {
    get: (name) => search.get(name),
    set: (changes, { replace = false } = {}) =>
      setSearch((current) => changed(current, changes), { replace }),
  };
}

export function changed(current: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value);
    else next.delete(name);
  return next;
}

/** The one of the choices that an address names; the first for anything else. */
export const choiceOf = <Choice extends string>(value: string | null, choices: readonly Choice[]): Choice =>
  choices.find((choice) => choice === value) ?? choices[0]!;
