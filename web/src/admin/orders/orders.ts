import { ORDER_STATUSES } from '@arboleda/contracts/order.ts';
import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import { refreshEvery } from '../../api/refresh.ts';
import type { PortalCall } from '../../session/session.ts';

export type OrderRow = Answer<'GET /api/admin/orders/manage'>['orders'][number];
export type OrderDetails = Answer<'GET /api/admin/orders/{id}'>['order'];
export type HistoryEntry = OrderDetails['timeline'][number];

/** Its donor withdraws, and not all of the money is back. */
export const isWithdrawing = ({ withdrawal }: Pick<OrderRow, 'withdrawal'>): boolean =>
  withdrawal !== undefined && withdrawal.answeredAt === undefined;

export const FILTERS = ['all', ...ORDER_STATUSES] as const;
export type Filter = (typeof FILTERS)[number];

export const filterOf = (value: string | null): Filter => FILTERS.find((filter) => filter === value) ?? 'all';

/** An exact count or a lower bound. */
export interface Found {
  count: number;
  isLeast: boolean;
}

/** Count for a filter; undefined when there are too many to count by status. */
export function foundBy(
  { counts, countsAtLeast }: Pick<Answer<'GET /api/admin/orders/manage'>, 'counts' | 'countsAtLeast'>,
  filter: Filter,
): Found | undefined {
  if (!countsAtLeast) return { count: counts[filter], isLeast: false };
  return filter === 'all' ? { count: counts.all, isLeast: true } : undefined;
}

/** Polling fallback while the live stream is interrupted. */
export const SLOW_REFRESH_MS = 30_000;

/** Query keys of orders. Keys of one order share a prefix, so that they are invalidated together. */
export const KEYS = {
  lists: ['admin', 'orders'] as const,
  count: ['admin', 'order-count'] as const,
  order: (id: string) => ['admin', 'order', id] as const,
  part: (id: string, part: 'details' | 'assignment' | 'unshowable') => ['admin', 'order', id, part] as const,
};

export const useOrder = (call: PortalCall, id: string | null) =>
  useQuery({
    queryKey: KEYS.part(id ?? '', 'details'),
    enabled: id !== null,
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/orders/{id}', { params: { id: id! }, signal })).order,
    refetchInterval: refreshEvery(SLOW_REFRESH_MS),
  });
