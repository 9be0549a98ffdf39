import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PortalCall } from '../../session/session.ts';
import { isWithdrawing, KEYS, type OrderRow } from './orders.ts';

/** An action of an admin on several orders at once. */
export type BulkAction =
  | { kind: 'status'; to: OrderStatus; reason: string }
  | { kind: 'assign'; workerId: string; reason: string };

/** Why an order stays as it is, known before anything is sent. */
export type Skip = 'same-status' | 'same-worker' | 'completed' | 'withdrawn';

export function skipOf(order: OrderRow, action: BulkAction): Skip | undefined {
  if (action.kind === 'status') return order.status === action.to ? 'same-status' : undefined;
  if (order.assignedWorker?.workerId === action.workerId) return 'same-worker';
  if (order.withdrawn || isWithdrawing(order)) return 'withdrawn';
  return order.status === 'completed' ? 'completed' : undefined;
}

/** A worker loses an order, so that the admin has to say why. */
export const isReassignment = (order: OrderRow): boolean =>
  order.assignedWorker !== undefined && order.status !== 'completed';

export type Outcome =
  | { state: 'done' }
  | { state: 'skipped'; why: Skip }
  /** Another admin or the worker was faster; nothing was changed. */
  | { state: 'overtaken' }
  | { state: 'failed'; error: unknown };

/** Requests at a time: quick for a page of orders, and little for the server. */
const AT_ONCE = 3;

/** Applies an action to one order, unless it is not any more what the admin saw. */
async function apply(call: PortalCall, order: OrderRow, action: BulkAction): Promise<Outcome> {
  const why = skipOf(order, action);
  if (why) return { state: 'skipped', why };
  const params = { id: order._id };
  const reason = action.reason.trim();
  try {
    if (action.kind === 'status') {
      const { order: now } = await call('GET /api/admin/orders/{id}', { params });
      if (now.status !== order.status) return { state: 'overtaken' };
      await call('PUT /api/admin/orders/{id}/status', {
        params,
        body: { status: action.to, ...(reason && { reason }) },
      });
    } else {
      const { assignment } = await call('GET /api/admin/orders/{id}/assignment', { params });
      if (assignment.worker?.workerId !== order.assignedWorker?.workerId) return { state: 'overtaken' };
      await call('PUT /api/admin/orders/{id}/assignment', {
        params,
        body: { workerId: action.workerId, ...(reason && { reason }) },
        ifMatch: String(assignment.revision),
      });
    }
    return { state: 'done' };
  } catch (error) {
    return { state: 'failed', error };
  }
}

/** Runs an action over orders; the outcomes grow while it runs. */
export function useBulk(call: PortalCall) {
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const run = useMutation({
    mutationFn: async ({ orders, action }: { orders: readonly OrderRow[]; action: BulkAction }) => {
      const waiting = [...orders];
      const all = new Map<string, Outcome>();
      const work = async () => {
        for (let order = waiting.shift(); order; order = waiting.shift()) {
          all.set(order._id, await apply(call, order, action));
          setOutcomes(new Map(all));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return all;
    },
    onSettled: () => {
      for (const queryKey of [KEYS.lists, ['admin', 'order'], ['admin', 'workloads']])
        void queries.invalidateQueries({ queryKey });
    },
  });
  return { run, outcomes };
}
