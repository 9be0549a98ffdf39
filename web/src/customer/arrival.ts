import { isPlanted, type OrderStatus } from '@arboleda/contracts/order.ts';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isOver } from '../growth/schedule.ts';

/** Why somebody came to one order: back from the payment page, or to choose growth updates. */
export interface Arrival {
  why: 'success' | 'cancelled' | 'choose';
  orderId: string;
}

/** `?package=success|cancelled&order=…`, where the payment page leads back to, or `?growth=…` of the order's page. */
export function arrivalOf(query: URLSearchParams): Arrival | undefined {
  const outcome = query.get('package');
  const paidFor = query.get('order');
  if (paidFor && (outcome === 'success' || outcome === 'cancelled'))
    return { why: outcome, orderId: paidFor };
  const chosen = query.get('growth');
  return chosen ? { why: 'choose', orderId: chosen } : undefined;
}

/** Reads it once and takes it out of the address: a reload or a bookmark shall not say it again. */
export function useArrival(): Arrival | undefined {
  const [query, setQuery] = useSearchParams();
  const [arrival] = useState(() => arrivalOf(query));
  const isInAddress = arrivalOf(query) !== undefined;
  useEffect(() => {
    if (!isInAddress) return;
    setQuery(
      (former) => {
        for (const name of ['package', 'order', 'growth']) former.delete(name);
        return former;
      },
      { replace: true },
    );
  }, [isInAddress, setQuery]);
  return arrival;
}

interface Package {
  completedAt?: string | undefined;
  stoppedAt?: string | undefined;
}

interface Order {
  _id: string;
  growth?: readonly Package[] | undefined;
}

/** Whether what was paid for is there: a package whose updates are not all made. */
export const hasComeThrough = ({ orderId }: Arrival, orders: readonly Order[]): boolean =>
  orders.some(({ _id, growth }) => _id === orderId && growth?.some((one) => !isOver(one)));

interface OrderWithDates extends Order {
  status: OrderStatus;
  growth?: readonly (Package & { visits: readonly unknown[] })[] | undefined;
}

/** Whether nothing of it is on its way any more: when trees are in the ground, the dates come a moment after the package. */
export const isSettled = (arrival: Arrival, orders: readonly OrderWithDates[]): boolean =>
  hasComeThrough(arrival, orders) &&
  orders.every(
    ({ _id, status, growth = [] }) =>
      _id !== arrival.orderId ||
      !isPlanted(status) ||
      growth.every((one) => isOver(one) || one.visits.length > 0),
  );
