import { GIFT_STATES } from '@arboleda/contracts/gift.ts';
import { useLocation, useNavigate } from 'react-router-dom';
import type { RequestQuery } from '../../api/client.ts';
import { pageOf, trailOf } from '../list/Paging.tsx';
import { useAddress } from '../list/use-address.ts';
import { type Filter, filterOf, type Found } from './orders.ts';

/** Values of `sort` in GET /api/admin/orders/manage. */
export const SORTS = ['newest', 'oldest', 'changed', 'trees', 'amount', 'name', 'worker', 'region'] as const;
export type Sort = (typeof SORTS)[number];

export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/** Values of `gift` in GET /api/admin/orders/manage. */
export const GIFTS = ['', 'any', 'claimed', ...GIFT_STATES] as const;

export const METHODS = ['', 'card', 'transfer'] as const;

/** Filter, sort order and page from the address. */
export interface Listing {
  status: Filter;
  /** Words of an id, a customer, a reference or a transaction. */
  q: string;
  /** Days in Colombia, `2026-11-22`, or empty. */
  from: string;
  to: string;
  /** A worker's id, NO_WORKER, or empty. */
  worker: string;
  region: string;
  method: (typeof METHODS)[number];
  gift: (typeof GIFTS)[number];
  refunded: boolean;
  flagged: boolean;
  withdrawal: boolean;
  /** Instants of the assignment, or empty: links from the overview set them. */
  assignedFrom: string;
  assignedTo: string;
  sort: Sort;
  limit: PageSize;
  /** Cursor of the page; empty for the first. */
  cursor: string;
  /** Page number from 1, for display. */
  page: number;
}

const FIRST_PAGE = { cursor: '', page: 1 };
/** The filter that finds all orders. */
export const NO_FILTER = {
  status: 'all',
  q: '',
  from: '',
  to: '',
  worker: '',
  region: '',
  method: '',
  gift: '',
  refunded: false,
  flagged: false,
  withdrawal: false,
  assignedFrom: '',
  assignedTo: '',
} as const satisfies Partial<Listing>;
const DEFAULTS: Listing = {
  ...NO_FILTER,
  sort: 'newest',
  limit: 25,
  ...FIRST_PAGE,
};
const LONGEST_SEARCH = 100;

const moment = (text: string | null): string =>
  text && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

const day = (text: string | null): string =>
  text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

/** Parses the address; ignores invalid values. */
export function listingOf(search: URLSearchParams): Listing {
  return {
    status: filterOf(search.get('status')),
    q: (search.get('q') ?? '').trim().slice(0, LONGEST_SEARCH),
    from: day(search.get('from')),
    to: day(search.get('to')),
    worker: /^[\w-]{1,64}$/.exec(search.get('worker') ?? '')?.[0] ?? '',
    region: (search.get('region') ?? '').trim().slice(0, LONGEST_SEARCH),
    method: METHODS.find((method) => method === search.get('method')) ?? '',
    gift: GIFTS.find((gift) => gift === search.get('gift')) ?? '',
    refunded: search.get('refunded') === 'true',
    flagged: search.get('flagged') === 'true',
    withdrawal: search.get('withdrawal') === 'true',
    assignedFrom: moment(search.get('assignedFrom')),
    assignedTo: moment(search.get('assignedTo')),
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? DEFAULTS.sort,
    limit: PAGE_SIZES.find((size) => String(size) === search.get('limit')) ?? DEFAULTS.limit,
    ...pageOf(search),
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
export function filterQuery(listing: Listing): RequestQuery<'GET /api/admin/orders/export'> {
  const {
    status,
    q,
    from,
    to,
    worker,
    region,
    method,
    gift,
    refunded,
    flagged,
    withdrawal,
    assignedFrom,
    assignedTo,
    sort,
  } = listing;
  return {
    ...(status !== 'all' && { status }),
    ...(q && { q }),
    ...(from && { from }),
    ...(to && { to }),
    ...(worker && { worker }),
    ...(region && { region }),
    ...(method && { method }),
    ...(gift && { gift }),
    ...(refunded && { refunded: 'true' }),
    ...(flagged && { flagged: 'true' }),
    ...(withdrawal && { withdrawal: 'true' }),
    ...(assignedFrom && { assignedFrom }),
    ...(assignedTo && { assignedTo }),
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

/** Number of filters in use besides the status and the words. */
export const filtersOf = (listing: Listing): number =>
  (Object.keys(NO_FILTER) as (keyof typeof NO_FILTER)[]).filter(
    (name) => name !== 'status' && name !== 'q' && listing[name] !== NO_FILTER[name],
  ).length;

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
