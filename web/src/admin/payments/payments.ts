import { endOfDay, startOfDay } from '@arboleda/contracts/time-zone.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';

export type ListedPayment = Answer<'GET /api/admin/payments'>['payments'][number];
export type Payment = Answer<'GET /api/admin/payments/{id}'>['payment'];
export type Status = ListedPayment['status'];

export const STATUSES = [
  '',
  'succeeded',
  'submitted',
  'open',
  'processing',
  'rejected',
  'canceled',
  'mismatched',
] as const satisfies readonly (Status | '')[];

export interface Filter {
  status: Status | '';
  q: string;
  /** Days as date inputs write them, "2026-11-22", or empty. */
  from: string;
  to: string;
  cursor: string | undefined;
}

/** The server's default. */
export const PAGE_ROWS = 25;

export const usePayments = (call: PortalCall, { status, q, from, to, cursor }: Filter) =>
  useQuery({
    queryKey: ['admin', 'payments', status, q, from, to, cursor ?? ''],
    queryFn: ({ signal }) =>
      call('GET /api/admin/payments', {
        query: {
          cursor,
          ...(status && { status }),
          ...(q && { q }),
          ...rangeOf(from, to),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export type SoldPackage = Answer<'GET /api/admin/photo-packages'>['photoPackages'][number];

/** Photo packages bought between two days. */
export const useSoldPackages = (
  call: PortalCall,
  { from, to, cursor }: Pick<Filter, 'from' | 'to' | 'cursor'>,
) =>
  useQuery({
    queryKey: ['admin', 'payments', 'packages', from, to, cursor ?? ''],
    queryFn: ({ signal }) =>
      call('GET /api/admin/photo-packages', { query: { cursor, ...rangeOf(from, to) }, signal }),
    placeholderData: keepPreviousData,
  });

export const usePayment = (call: PortalCall, id: string | null) =>
  useQuery({
    queryKey: ['admin', 'payments', 'one', id],
    enabled: id !== null,
    queryFn: ({ signal }) => call('GET /api/admin/payments/{id}', { params: { id: id! }, signal }),
  });

/** The payment of an order, with its packages. */
export function useOrderPayment(call: PortalCall, orderId: string) {
  const may = useMay();
  return useQuery({
    enabled: may('payments:read'),
    queryKey: ['admin', 'order', orderId, 'payment'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/admin/orders/{id}/payment', { params: { id: orderId }, signal })).payment,
  });
}

/** Start of the first and end of the last organization day; invalid days are ignored. */
export function rangeOf(from: string, to: string): { from?: string; to?: string } {
  const start = startOfDay(from);
  const end = endOfDay(to);
  return { ...(start && { from: start.toISOString() }), ...(end && { to: end.toISOString() }) };
}
