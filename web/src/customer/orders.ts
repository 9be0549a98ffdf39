import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Answer } from '../api/client.ts';
import { refreshEvery } from '../api/refresh.ts';
import { useChanges } from '../api/use-changes.ts';
import type { OpenSession } from '../portal/Gate.tsx';

type Page = Answer<'GET /api/customers/orders'>;
export type CustomerOrder = Page['orders'][number];
export type CustomerStats = Page['stats'];

/** Small, because each order renders a timeline, map and photos. */
const PAGE_SIZE = 5;
/** Fallback for changes missed by a broken stream, ms. */
const SELDOM_MS = 60_000;
/** Polling interval while a recent purchase is expected, ms. */
const OFTEN_MS = 2_000;

/**
 * Own orders, newest first, by page and refreshed. Empty before the address is verified.
 * @param isExpecting polls often while a purchase is not visible yet
 */
export function useOrders(
  { call, person }: OpenSession<'customer'>,
  isExpecting: (orders: readonly CustomerOrder[]) => boolean,
) {
  const queryClient = useQueryClient();
  const queryKey = ['customer', 'orders', person.id];
  const query = useInfiniteQuery({
    queryKey,
    enabled: person.emailVerified,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('GET /api/customers/orders', { query: { limit: PAGE_SIZE, cursor }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) =>
      refreshEvery(state.data && isExpecting(ordersOf(state.data.pages)) ? OFTEN_MS : SELDOM_MS)({ state }),
  });
  const look = () => void queryClient.invalidateQueries({ queryKey });
  useChanges<'GET /api/customers/orders/events'>(`orders of ${person.id}`, {
    open: (signal) => call('GET /api/customers/orders/events', { signal, timeoutMs: Infinity }),
    onChange: look,
    onResume: look,
    enabled: person.emailVerified,
  });
  const pages = query.data?.pages;
  const orders = useMemo(() => pages && ordersOf(pages), [pages]);
  return { ...query, orders, stats: pages?.[0]?.stats };
}

/** Joins pages; an order that moved between pages during loading appears once. */
export function ordersOf(pages: readonly Pick<Page, 'orders'>[]): CustomerOrder[] {
  const byId = new Map<string, CustomerOrder>();
  for (const { orders } of pages)
    for (const order of orders) if (!byId.has(order._id)) byId.set(order._id, order);
  return [...byId.values()];
}

export type OrdersQuery = ReturnType<typeof useOrders>;

/** Loads pages until the wanted order appears or the list ends. */
export function useReadUntil(
  wanted: string | undefined,
  { orders, hasNextPage, isFetching, fetchNextPage }: OrdersQuery,
): void {
  const isMissing = wanted !== undefined && orders !== undefined && !orders.some(({ _id }) => _id === wanted);
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetching, fetchNextPage]);
}

/** Loads every page while somebody looks for an order, so that none is missed; stops at a page that fails. */
export function useReadAll(
  isFinding: boolean,
  { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: OrdersQuery,
): void {
  useEffect(() => {
    if (isFinding && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isFinding, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
}

/** Whether an order's id, place or planter contains the words, whatever their case and accents. */
export function isFoundBy({ shortId, location, assignedWorker }: CustomerOrder, words: string): boolean {
  const text = plain([shortId, location, assignedWorker?.name].filter(Boolean).join(' '));
  return plain(words)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
