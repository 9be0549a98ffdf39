import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PortalCall } from '../../session/session.ts';
import { KEYS, type OrderDetails, type OrderRow } from './orders.ts';

export interface StatusChange {
  id: string;
  from: OrderStatus;
  to: OrderStatus;
}

/** Any status may be set; the current one changes nothing: product spec section 4. */
export const statusChangeOf = (
  order: Pick<OrderRow, '_id' | 'status'>,
  to: OrderStatus,
): StatusChange | undefined => (to === order.status ? undefined : { id: order._id, from: order.status, to });

export function useStatusChange(call: PortalCall, onDone: (order: OrderDetails) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ change, reason }: { change: StatusChange; reason: string }) =>
      (
        await call('PUT /api/admin/orders/{id}/status', {
          params: { id: change.id },
          body: { status: change.to, ...(reason && { reason }) },
        })
      ).order,
    onSuccess: (order) => {
      queries.setQueryData(KEYS.part(order._id, 'details'), order);
      onDone(order);
    },
    // Reload even after a refusal: another admin may have changed it.
    onSettled: (_order, _error, { change }) => {
      void queries.invalidateQueries({ queryKey: KEYS.order(change.id) });
      void queries.invalidateQueries({ queryKey: KEYS.lists });
    },
  });
}
