import { useState } from 'react';

interface Known {
  _id: string;
  status: string;
}

/** Orders whose status differs from when they were last looked at; one that was not there before is no news. */
export function movedOrders<Order extends Known>(
  before: readonly Known[],
  orders: readonly Order[],
): Order[] {
  const former = new Map(before.map(({ _id, status }) => [_id, status]));
  return orders.filter(({ _id, status }) => former.has(_id) && former.get(_id) !== status);
}

/** Orders that moved last, among some that are kept fresh: to be read out politely. None until one moves. */
export function useStatusNews<Order extends Known>(orders: readonly Order[]): readonly Order[] {
  const [seen, setSeen] = useState({ orders, moved: [] as readonly Order[] });
  if (seen.orders === orders) return seen.moved;
  const moved = movedOrders(seen.orders, orders);
  const next = { orders, moved: moved.length > 0 ? moved : seen.moved };
  // While rendering, as React advises for a state that follows from the one before.
  setSeen(next);
  return next.moved;
}
