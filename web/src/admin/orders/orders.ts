import { ORDER_STATUSES } from '@arboleda/contracts/order.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import type { PortalCall } from '../../session/session.ts';

export type OrderRow = Answer<'GET /api/admin/orders/manage'>['orders'][number];
export type OrderDetails = Answer<'GET /api/admin/orders/{id}'>['order'];
export type HistoryEntry = OrderDetails['timeline'][number];

export const FILTERS = ['all', ...ORDER_STATUSES] as const;
export type Filter = (typeof FILTERS)[number];

/** The filter that an address names; all for anything else. */
export const filterOf = (value: string | null): Filter => FILTERS.find((filter) => filter === value) ?? 'all';

const REFRESH_MS = 10_000;

/** Orders newest first, page after page, with the count of each status. */
export const useOrders = (call: PortalCall, filter: Filter) =>
  useInfiniteQuery({
    queryKey: ['admin', 'orders', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/admin/orders/manage', {
        query: { cursor: pageParam, ...(filter !== 'all' && { status: filter }) },
        signal,
      }),
    getNextPageParam: (page) => page.nextCursor,
    // Every page that is open is asked for again, so a long list is left as it was read.
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 1) === 1 && REFRESH_MS,
  });

/** One order with everything that happened to it. */
export const useOrder = (call: PortalCall, id: string | null) =>
  useQuery({
    queryKey: ['admin', 'order', id],
    enabled: id !== null,
    queryFn: ({ signal }) => call('GET /api/admin/orders/{id}', { params: { id: id! }, signal }),
    refetchInterval: REFRESH_MS,
  });
