import { useState } from 'react';

interface Known {
  _id: string;
  status: string;
}

/** Orders whose status changed since the last look; new orders do not count. */
export function changedOrders<Order extends Known>(
  before: readonly Known[],
  orders: readonly Order[],
): Order[] {
  const former = new Map(before.map(({ _id, status }) => [_id, status]));
  return orders.filter(({ _id, status }) => former.has(_id) && former.get(_id) !== status);
}

/** Orders whose status changed last, for a polite live region. Empty until one changes. */
export function useStatusChanges<Order extends Known>(orders: readonly Order[]): readonly Order[] {
  const [seen, setSeen] = useState({ orders, moved: [] as readonly Order[] });
  if (seen.orders === orders) return seen.moved;
  const moved = changedOrders(seen.orders, orders);
  const next = { orders, moved: moved.length > 0 ? moved : seen.moved };
  // Setting state during render is React's pattern for state derived from earlier state.
  setSeen(next);
  return next.moved;
}
