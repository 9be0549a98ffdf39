import type { OrderChange } from '@arboleda/contracts/endpoints/orders/live.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useChanges } from '../../api/use-changes.ts';
import type { PortalCall } from '../../session/session.ts';
import { KEYS } from './orders.ts';

/** Batches bursts of changes into one reload of the list. */
const BATCH_MS = 1_500;

/** Listens to live changes: updates the order immediately, the list after a moment. */
export function useLiveOrders(call: PortalCall, onChange: (change: OrderChange) => void): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readLists = () => {
    timer.current = undefined;
    void queries.invalidateQueries({ queryKey: KEYS.lists });
    void queries.invalidateQueries({ queryKey: KEYS.count });
  };
  useChanges<'GET /api/admin/orders/events'>('admin orders', {
    open: (signal) => call('GET /api/admin/orders/events', { signal, timeoutMs: Infinity }),
    onChange: (change) => {
      onChange(change);
      void queries.invalidateQueries({ queryKey: KEYS.order(change.orderId) });
      timer.current ??= setTimeout(readLists, BATCH_MS);
    },
    onResume: () => {
      readLists();
      void queries.invalidateQueries({ queryKey: ['admin', 'order'] });
    },
  });
}
