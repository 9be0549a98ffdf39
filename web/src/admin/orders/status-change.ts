import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PortalCall } from '../../session/session.ts';
import { KEYS, type OrderDetails, type OrderRow } from './orders.ts';

export interface StatusWish {
  id: string;
  from: OrderStatus;
  to: OrderStatus;
}

/** Any status may be set; the current one changes nothing: product spec section 4. */
export const wishOf = (order: Pick<OrderRow, '_id' | 'status'>, to: OrderStatus): StatusWish | undefined =>
  to === order.status ? undefined : { id: order._id, from: order.status, to };

export function useStatusChange(call: PortalCall, onDone: (order: OrderDetails) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ wish, reason }: { wish: StatusWish; reason: string }) =>
      (
        await call('PUT /api/admin/orders/{id}/status', {
          params: { id: wish.id },
          body: { status: wish.to, ...(reason && { reason }) },
        })
      ).order,
    onSuccess: (order) => {
      queries.setQueryData(KEYS.part(order._id, 'details'), order);
      onDone(order);
    },
    // Reload even after a refusal: another admin may have changed it.
    onSettled: (_order, _error, { wish }) => {
      void queries.invalidateQueries({ queryKey: KEYS.order(wish.id) });
      void queries.invalidateQueries({ queryKey: KEYS.lists });
    },
  });
}
