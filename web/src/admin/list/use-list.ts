import { ADMIN_LISTS } from '@arboleda/contracts/lists.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer, CallOptions } from '../../api/client.ts';
import { refreshEvery } from '../../api/refresh.ts';
import type { PortalCall } from '../../session/session.ts';
import {
  type Filter,
  filtersOf,
  type FilterTexts,
  isNarrowed,
  type ListKey,
  type ListQuery,
  queryOf,
} from './filters.ts';
import { TO_FIRST_PAGE } from './Paging.tsx';
import { useSearch } from './use-address.ts';

type RowsName<Key extends ListKey> = {
  [Name in keyof Answer<Key>]: Answer<Key>[Name] extends readonly unknown[] ? Name : never;
}[keyof Answer<Key>];
type RowOf<
  Key extends ListKey,
  Name extends keyof Answer<Key>,
> = Answer<Key>[Name] extends readonly (infer Row)[] ? Row : never;

interface Page<Key extends ListKey> {
  /** Second part of the query's key: what changes a thing of this name reads the list again. */
  area: string;
  query?: ListQuery<Key>;
  refreshMs?: number;
}

/** One page of a list. The page before stays while another loads. */
export const useListPage = <Key extends ListKey>(
  call: PortalCall,
  key: Key,
  { area, query = {} as ListQuery<Key>, refreshMs }: Page<Key>,
) =>
  useQuery({
    queryKey: ['admin', area, key, query],
    queryFn: async ({ signal }) => ({
      query,
      answer: await call(key, { query, signal } as CallOptions<Key>),
    }),
    placeholderData: keepPreviousData,
    ...(refreshMs !== undefined && { refetchInterval: refreshEvery(refreshMs) }),
  });

interface Options<Key extends ListKey, Name extends RowsName<Key>> extends Page<Key> {
  /** Name of the rows in the answer. */
  rows: Name;
  filters?: FilterTexts<Key>;
}

/** A list as its panel draws it. */
export interface Listed<Row> {
  filters: readonly Filter[];
  /** Changes filters by their names in the address, and returns to the first page. */
  narrow: (changes: Record<string, string | null>, replace?: boolean) => void;
  isNarrowed: boolean;
  rows: readonly Row[];
  /** Another page is loading. */
  isOld: boolean;
  pageRows: number;
  next: string | undefined;
  state: { isPending: boolean; isError: boolean; error: unknown; data: unknown; refetch: () => unknown };
}

/**
 * A list of the dashboard: its filters and page live in the address, its rows come from the server. What it can be
 * narrowed by is read from the query schema of its endpoint.
 */
export function useList<Key extends ListKey, Name extends RowsName<Key>>(
  call: PortalCall,
  key: Key,
  { rows: name, filters: texts = {}, query: always, ...page }: Options<Key, Name>,
) {
  const search = useSearch();
  const filters = filtersOf(key, texts, search.get);
  const asked = queryOf(key, filters);
  const cursor = search.get('cursor');
  const query = { ...always, ...asked, ...(cursor && { cursor }) } as ListQuery<Key>;
  const state = useListPage(call, key, { ...page, query });
  const answer = state.data?.answer;
  const isOther = state.data !== undefined && isOtherList(state.data.query, always);
  const { nextCursor } = (answer ?? {}) as { nextCursor?: string };
  return {
    filters,
    narrow: (changes: Record<string, string | null>, replace = false) =>
      search.set({ ...changes, ...TO_FIRST_PAGE }, { replace }),
    isNarrowed: isNarrowed(filters),
    /** The values of the filters, as query parameters. */
    asked: asked as ListQuery<Key>,
    /** The last answer; of another list while this one loads. */
    answer,
    rows: (isOther ? [] : (answer?.[name] ?? [])) as readonly RowOf<Key, Name>[],
    isOld: state.isPlaceholderData,
    pageRows: (always as { limit?: number } | undefined)?.limit ?? ADMIN_LISTS[key]?.pageRows ?? Infinity,
    next: nextCursor,
    // The rows of one list are never offered in another.
    state: { ...state, isPending: state.isPending || isOther },
  };
}

const isOtherList = (query: object, always: object = {}): boolean =>
  Object.entries(always).some(([name, value]) => (query as Record<string, unknown>)[name] !== value);
