import { ADMIN_LISTS } from '@arboleda/contracts/lists.ts';
import { useLocation, useNavigate } from 'react-router-dom';
import type { RequestQuery } from '../../api/client.ts';
import { acceptedOf, type ListQuery } from '../list/filters.ts';
import { pageOf, trailOf } from '../list/Paging.tsx';
import { useAddress } from '../list/use-address.ts';
import type { Filter, Found } from './orders.ts';

type Asked = Required<Omit<ListQuery<'GET /api/admin/orders/manage'>, 'ids' | 'limit' | 'cursor'>>;
export type Sort = Asked['sort'];
export type FilterName = Exclude<keyof Asked, 'sort'>;

// The ids of chosen orders are no part of the address.
const { ids: _ids, ...ASKED } = ADMIN_LISTS['GET /api/admin/orders/manage']!.filters;
const ASKED_NAMES = Object.keys(ASKED) as (keyof Asked)[];

/** Choices of a parameter, in the contract's order. */
export const choicesOf = <Name extends keyof Asked>(name: Name): readonly Asked[Name][] => {
  const accepts = ASKED[name]!;
  return 'choices' in accepts ? (accepts.choices as readonly Asked[Name][]) : [];
};
export const LONGEST_SEARCH = ASKED.q?.kind === 'words' ? ASKED.q.maxLength : undefined;
export const kindOf = (name: FilterName) => ASKED[name]!.kind;

export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Filter, sort order and page from the address. A filter that narrows nothing is empty, or `all` for the status. */
export type Listing = { [Name in Exclude<FilterName, 'status'>]: Asked[Name] | '' } & {
  status: Filter;
  sort: Sort;
  limit: PageSize;
  /** Cursor of the page; empty for the first. */
  cursor: string;
  /** Page number from 1, for display. */
  page: number;
};

const FIRST_PAGE = { cursor: '', page: 1 };
const DEFAULTS = {
  ...Object.fromEntries(ASKED_NAMES.map((name) => [name, ''])),
  status: 'all',
  sort: 'newest',
  limit: 25,
  ...FIRST_PAGE,
} as Listing;

const isSet = (listing: Listing) => (name: keyof Listing) => listing[name] !== DEFAULTS[name];

/** The filter that finds all orders. */
export const NO_FILTER: Partial<Listing> = Object.fromEntries(
  ASKED_NAMES.filter((name) => name !== 'sort').map((name) => [name, DEFAULTS[name]]),
);

const moment = (text: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

/** Ignores what the contract does not accept. Links from the overview set instants; nothing asks for a "no". */
function saidOf(name: keyof Asked, said: string): string {
  const accepts = ASKED[name]!;
  if (accepts.kind === 'instant') return moment(said);
  if (accepts.kind === 'yesOrNo') return said === 'true' ? said : '';
  return acceptedOf(accepts, said);
}

/** Parses the address; ignores invalid values. */
export const listingOf = (search: URLSearchParams): Listing => ({
  ...DEFAULTS,
  ...Object.fromEntries(
    ASKED_NAMES.map((name) => [name, saidOf(name, search.get(name) ?? '') || DEFAULTS[name]]),
  ),
  limit: PAGE_SIZES.find((size) => String(size) === search.get('limit')) ?? DEFAULTS.limit,
  ...pageOf(search),
});

/** Address after a change; any change except paging returns to the first page. */
export function withListing(search: URLSearchParams, changes: Partial<Listing>): URLSearchParams {
  const turned = 'cursor' in changes;
  const listing: Listing = { ...listingOf(search), ...(!turned && FIRST_PAGE), ...changes };
  const next = new URLSearchParams(search);
  for (const name of Object.keys(DEFAULTS) as (keyof Listing)[]) {
    if (isSet(listing)(name)) next.set(name, String(listing[name]));
    else next.delete(name);
  }
  return next;
}

const queryOf = (listing: Listing, names: readonly (keyof Listing)[]) =>
  Object.fromEntries(names.filter(isSet(listing)).map((name) => [name, listing[name]]));

/** Filter and sort order as API parameters. */
export const filterQuery = (listing: Listing): RequestQuery<'GET /api/admin/orders/export'> =>
  queryOf(listing, ASKED_NAMES);

export const pageQuery = (listing: Listing): RequestQuery<'GET /api/admin/orders/manage'> =>
  queryOf(listing, [...ASKED_NAMES, 'limit', 'cursor']);

/** Number of filters in use besides the status and the words. */
export const filtersOf = (listing: Listing): number =>
  ASKED_NAMES.filter((name) => name !== 'status' && name !== 'q' && name !== 'sort').filter(isSet(listing))
    .length;

export const isNarrowed = (listing: Listing): boolean =>
  listing.status !== 'all' || listing.q !== '' || filtersOf(listing) > 0;

/** First and last row number on a page, from 1. */
export function placeOf({ page, limit }: Listing, rows: number): { first: number; last: number } {
  const before = (page - 1) * limit;
  return { first: before + 1, last: before + rows };
}

/** Total after loading a page: the last page proves the exact count. */
export const foundOn = (
  listing: Listing,
  page: { found: Found | undefined; rows: number; isLast: boolean },
): Found | undefined =>
  page.isLast && page.found?.isLeast !== false
    ? { count: placeOf(listing, page.rows).last, isLeast: false }
    : page.found;

interface Entry {
  /** See `trailOf`. */
  trail: string[];
  /** The dialog was opened from the list, so closing goes back. */
  opened?: boolean;
}

const wasOpened = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'opened' in state && state.opened === true;

/** List and open order in the address, so that back and forward work. */
export function useListing() {
  const [search, setSearch] = useAddress();
  const { state } = useLocation();
  const navigate = useNavigate();
  const trail = trailOf(state);

  const setOrder = (id: string | null, options: { replace: boolean; state: Entry }) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      if (id) next.set('order', id);
      else next.delete('order');
      return next;
    }, options);

  return {
    listing: listingOf(search),
    change: (changes: Partial<Listing>, replace = false) =>
      setSearch((current) => withListing(current, changes), { replace }),
    order: search.get('order'),
    open: (id: string) => setOrder(id, { replace: false, state: { trail, opened: true } }),
    close: () => (wasOpened(state) ? void navigate(-1) : setOrder(null, { replace: true, state: { trail } })),
  };
}
