import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Answer } from '../api/client.ts';
import { refreshEvery } from '../api/refresh.ts';
import { useChanges } from '../api/use-changes.ts';
import type { OpenSession } from '../portal/Gate.tsx';

type Page = Answer<'GET /api/customers/orders'>;
export type CustomerOrder = Page['orders'][number];
export type CustomerStats = Page['stats'];

/** Each order comes with its line, map and photos: so many are read at once. */
const PAGE_SIZE = 5;
/** Changes come by themselves; this is for what a broken line may have missed, ms. */
const SELDOM_MS = 60_000;
/** While something is expected that was paid a moment ago, ms. */
const OFTEN_MS = 2_000;

/**
 * One's own orders, newest first, a page at a time and kept fresh; there are none to see before the address is
 * verified.
 * @param isExpecting whether something is on its way that these do not show yet: then it asks often
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

/** Pages one after the other; an order that moved from one to the next while they were read is shown once. */
export function ordersOf(pages: readonly Pick<Page, 'orders'>[]): CustomerOrder[] {
  const byId = new Map<string, CustomerOrder>();
  for (const { orders } of pages)
    for (const order of orders) if (!byId.has(order._id)) byId.set(order._id, order);
  return [...byId.values()];
}

export type OrdersQuery = ReturnType<typeof useOrders>;

/** Reads on until the order is there that somebody came for, or there is no more. */
export function useReadUntil(
  wanted: string | undefined,
  { orders, hasNextPage, isFetching, fetchNextPage }: OrdersQuery,
): void {
  const isMissing = wanted !== undefined && orders !== undefined && !orders.some(({ _id }) => _id === wanted);
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching) void fetchNextPage();
  }, [isMissing, hasNextPage, isFetching, fetchNextPage]);
}
