import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { RequestQuery } from '../../api/client.ts';
import { type Filter, filterOf, type Found } from './orders.ts';

/** Values of `sort` in GET /api/admin/orders/manage. */
export const SORTS = ['newest', 'oldest', 'changed', 'trees', 'amount', 'name'] as const;
export type Sort = (typeof SORTS)[number];

export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Filter, sort order and page from the address. */
export interface Listing {
  status: Filter;
  /** Words of an id, a customer, a reference or a transaction. */
  q: string;
  /** UTC days, `2026-11-22`, or empty. */
  from: string;
  to: string;
  sort: Sort;
  limit: PageSize;
  /** Cursor of the page; empty for the first. */
  cursor: string;
  /** Page number from 1, for display. */
  page: number;
}

const FIRST_PAGE = { cursor: '', page: 1 };
const DEFAULTS: Listing = {
  status: 'all',
  q: '',
  from: '',
  to: '',
  sort: 'newest',
  limit: 25,
  ...FIRST_PAGE,
};
const LONGEST_SEARCH = 100;

const day = (text: string | null): string =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

/** Parses the address; ignores invalid values. */
export function listingOf(search: URLSearchParams): Listing {
  const cursor = search.get('cursor') ?? '';
  const page = Number(search.get('page'));
  return {
    status: filterOf(search.get('status')),
    q: (search.get('q') ?? '').trim().slice(0, LONGEST_SEARCH),
    from: day(search.get('from')),
    to: day(search.get('to')),
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? DEFAULTS.sort,
    limit: PAGE_SIZES.find((size) => String(size) === search.get('limit')) ?? DEFAULTS.limit,
    ...(cursor && Number.isInteger(page) && page > 1 ? { cursor, page } : FIRST_PAGE),
  };
}

/** Address after a change; any change except paging returns to the first page. */
export function withListing(search: URLSearchParams, changes: Partial<Listing>): URLSearchParams {
  const turned = 'cursor' in changes;
  const listing: Listing = { ...listingOf(search), ...(!turned && FIRST_PAGE), ...changes };
  const next = new URLSearchParams(search);
  for (const name of Object.keys(DEFAULTS) as (keyof Listing)[]) {
    if (listing[name] === DEFAULTS[name]) next.delete(name);
    else next.set(name, String(listing[name]));
  }
  return next;
}

/** Filter and sort order as API parameters. */
export function filterQuery({
  status,
  q,
  from,
  to,
  sort,
}: Listing): RequestQuery<'GET /api/admin/orders/export'> {
  return {
    ...(status !== 'all' && { status }),
    ...(q && { q }),
    ...(from && { from }),
    ...(to && { to }),
    ...(sort !== DEFAULTS.sort && { sort }),
  };
}

export function pageQuery(listing: Listing): RequestQuery<'GET /api/admin/orders/manage'> {
  const { limit, cursor } = listing;
  return {
    ...filterQuery(listing),
    ...(limit !== DEFAULTS.limit && { limit }),
    ...(cursor && { cursor }),
  };
}

export const isNarrowed = ({ status, q, from, to }: Listing): boolean =>
  status !== 'all' || q !== '' || from !== '' || to !== '';

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
  /** Cursors of the previous pages, first page first. */
  trail?: string[];
  /** The dialog was opened from the list, so closing goes back. */
  opened?: boolean;
}

/** List and open order in the address, so that back and forward work. */
export function useListing() {
  const [search, setSearch] = useSearchParams();
  const entry = (useLocation().state ?? {}) as Entry;
  const navigate = useNavigate();
  const listing = listingOf(search);
  const trail = entry.trail ?? [];

  const set = (changes: Partial<Listing>, options: { replace?: boolean; trail?: string[] } = {}) =>
    setSearch((current) => withListing(current, changes), {
      replace: options.replace ?? false,
      state: { trail: options.trail ?? [] } satisfies Entry,
    });
  const setOrder = (id: string | null, options: { replace: boolean; state: Entry }) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      if (id) next.set('order', id);
      else next.delete('order');
      return next;
    }, options);

  return {
    listing,
    change: (changes: Partial<Listing>, replace = false) => set(changes, { replace }),
    next: (cursor: string) => set({ cursor, page: listing.page + 1 }, { trail: [...trail, listing.cursor] }),
    /** Previous page, or the first when its cursor is unknown. */
    previous: () =>
      set(
        { cursor: trail.at(-1) ?? '', page: trail.length > 0 ? listing.page - 1 : 1 },
        { trail: trail.slice(0, -1) },
      ),
    knowsPrevious: trail.length > 0,
    order: search.get('order'),
    open: (id: string) => setOrder(id, { replace: false, state: { trail, opened: true } }),
    close: () => (entry.opened ? void navigate(-1) : setOrder(null, { replace: true, state: { trail } })),
  };
}
