import { NO_WORKER } from '@arboleda/contracts/order.ts';
import { type Filter, type Position, positionOf, rangeOf, type Sort, storedInstant } from './listing.ts';
import type { Order } from '../order/order.ts';
import { regionKey, tsquery, wordsSought } from '../order/search.ts';

export interface ListQuery {
  filter: Filter;
  sort: Sort;
  after?: Position | undefined;
  limit: number;
}

/** Sort columns before the id, all in one direction. */
const SORTS: Record<Sort, { columns: string[]; direction: 'asc' | 'desc' }> = {
  newest: { columns: ['created_at'], direction: 'desc' },
  oldest: { columns: ['created_at'], direction: 'asc' },
  trees: { columns: ['trees'], direction: 'desc' },
  amount: { columns: ['currency', 'amount_minor'], direction: 'desc' },
  name: { columns: ['name_key'], direction: 'asc' },
  worker: { columns: ['worker_key'], direction: 'asc' },
  region: { columns: ['region_key', 'created_at'], direction: 'asc' },
  changed: { columns: ['updated_at'], direction: 'desc' },
};

const GIFTS: Partial<Record<NonNullable<Filter['gift']>, string>> = {
  any: 'gift_state is not null',
  claimed: 'gift_account is not null',
};

/** Conditions of the filters that find few orders, so that each has an index. */
function narrowing(filter: Filter, mark: (value: unknown) => string): string[] {
  const { worker, region, method, refunded, flagged, withdrawal, gift, assignedFrom, assignedTo, ids } =
    filter;
  return [
    ...(worker === NO_WORKER
      ? [`worker_id is null and standing = 'paid'`]
      : worker === undefined
        ? []
        : [`worker_id = ${mark(worker)}`]),
    ...(region === undefined ? [] : [`region_key = ${mark(regionKey(region))}`]),
    ...(method === undefined ? [] : [`payment_kind = ${mark(method)}`]),
    ...(refunded === undefined ? [] : [refunded === 'true' ? 'refunded_minor > 0' : 'refunded_minor = 0']),
    ...(flagged === undefined ? [] : [flagged === 'true' ? 'is_flagged' : 'not is_flagged']),
    ...(withdrawal === undefined ? [] : [`refund_by is ${withdrawal === 'true' ? 'not ' : ''}null`]),
    ...(gift === undefined ? [] : [GIFTS[gift] ?? `gift_state = ${mark(gift)}`]),
    ...(assignedFrom === undefined ? [] : [`assigned_at >= ${mark(storedInstant(assignedFrom))}`]),
    ...(assignedTo === undefined ? [] : [`assigned_at <= ${mark(storedInstant(assignedTo))}`]),
    ...(ids === undefined ? [] : [`id = any(${mark(ids.split(','))})`]),
  ];
}

/** Clauses of a statement on `orders`. Lists contain paid orders only. */
export function listQuery({ filter, sort, after = [], limit }: ListQuery) {
  const values: unknown[] = [];
  const mark = (value: unknown): string => `$${values.push(value)}`;
  const { status } = filter;
  const { from, to, before } = rangeOf(filter);
  const words = wordsSought(filter.q ?? '');
  const narrow = narrowing(filter, mark);
  const { columns, direction } = SORTS[sort];
  const by = [...columns, 'id'];
  const beyond = direction === 'asc' ? '>' : '<';
  // PostgreSQL assumes that status and age are independent and would scan all new orders for a page of
  // completed ones.
  // Only the index on both has this sort order. Other filters have better indexes.
  const isOfStatus = status !== undefined && by[0] === 'created_at' && narrow.length === 0;
  const sorted = isOfStatus ? ['status', ...by] : by;
  const where = [
    'is_paid',
    ...(status === undefined
      ? []
      : [narrow.length === 0 ? `status = any(array[${mark(status)}])` : `status = ${mark(status)}`]),
    ...narrow,
    ...(from === undefined ? [] : [`created_at >= ${mark(from)}`]),
    ...(to === undefined ? [] : [`created_at <= ${mark(to)}`]),
    ...(before === undefined ? [] : [`created_at < ${mark(before)}`]),
    ...(after.length === 0 ? [] : [`(${by.join(', ')}) ${beyond} (${after.map(mark).join(', ')})`]),
  ].join(' and ');
  const order = `order by ${sorted.map((column) => `${column} ${direction}`).join(', ')}`;
  const end = `${order} limit ${limit}`;
  const matching = words.length === 0 ? undefined : `words @@ ${mark(tsquery(words))}::tsquery`;

  /** Looks for the words among so many orders at the list's beginning; undefined: among all, by the index of words. */
  const search = (window: number | undefined): string => {
    const found = [...by, 'status'].join(', ');
    // `limit` and `offset 0` stop PostgreSQL from choosing another plan: it does not know how common a word
    // is.
    return window === undefined
      ? `from (select ${found} from orders where ${where} and ${matching} offset 0) as found ${end}`
      : `from (select ${found}, words from orders where ${where} ${order} limit ${window}) as listed
         where ${matching} ${end}`;
  };
  return { where, order, end, values, isNarrowed: narrow.length > 0, search: matching && search };
}

/** Numbers of orders at the start of a list that are searched before the index of words is used. */
const WINDOWS = [500, 20_000];
/** A word is common when one in this many orders of the first window has it; then the second window is tried. */
const COMMON = 50;

/**
 * Searches a list. A common word soon fills a page when the list is read in order; a rare one is found by the
 * index and sorted. The first orders of the list tell which it is.
 * @param countOf the number of results, of at most `limit`
 */
export async function searched<Found>(
  limit: number,
  find: (window: number | undefined) => Promise<Found>,
  countOf: (found: Found) => number,
): Promise<Found> {
  for (const window of WINDOWS) {
    const found = await find(window);
    if (countOf(found) >= limit) return found;
    if (countOf(found) < window / COMMON) break;
  }
  return find(undefined);
}

const PAGE_ORDERS = 500;

/** All orders that match a filter, with one page in memory at a time. */
export async function* everyOrder(
  store: { page(query: ListQuery): Promise<Order[]> },
  { filter, sort }: { filter: Filter; sort: Sort },
  limit = PAGE_ORDERS,
): AsyncIterable<Order> {
  let after: Position | undefined;
  for (;;) {
    const page = await store.page({ filter, sort, after, limit });
    yield* page;
    if (page.length < limit) return;
    after = positionOf(page.at(-1)!, sort);
  }
}
