import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/client.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';

export type ListedPayment = Answer<'GET /api/admin/payments'>['payments'][number];
export type Payment = Answer<'GET /api/admin/payments/{id}'>['payment'];
export type Status = ListedPayment['status'];

export type SoldPackage = Answer<'GET /api/admin/photo-packages'>['photoPackages'][number];

export interface PaymentListProps {
  call: PortalCall;
  onOpen: (row: { paymentId: string }) => void;
}

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
