import { isPlanted, type OrderStatus } from '@arboleda/contracts/order.ts';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isOver } from '../order/growth/schedule.ts';

/** How a visitor reached one order: back from the payment page, or to choose growth updates. */
export interface Arrival {
  why: 'success' | 'cancelled' | 'choose';
  orderId: string;
}

/**
 * Parses `?package=success|cancelled&order=…` (return address of the payment page) or `?growth=…` (link of the order
 * page).
 */
export function arrivalOf(query: URLSearchParams): Arrival | undefined {
  const outcome = query.get('package');
  const paidFor = query.get('order');
  if (paidFor && (outcome === 'success' || outcome === 'cancelled'))
    return { why: outcome, orderId: paidFor };
  const chosen = query.get('growth');
  return chosen ? { why: 'choose', orderId: chosen } : undefined;
}

/**
 * Reads the parameters once and removes them from the address, so that a reload or bookmark does not repeat the
 * message.
 */
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

/** Whether the purchased package is active on the order. */
export const hasComeThrough = ({ orderId }: Arrival, orders: readonly Order[]): boolean =>
  orders.some(({ _id, growth }) => _id === orderId && growth?.some((one) => !isOver(one)));

interface OrderWithDates extends Order {
  status: OrderStatus;
  growth?: readonly (Package & { visits: readonly unknown[] })[] | undefined;
}

/** Whether the purchase is complete: after planting, its dates arrive shortly after the package. */
export const isSettled = (arrival: Arrival, orders: readonly OrderWithDates[]): boolean =>
  hasComeThrough(arrival, orders) &&
  orders.every(
    ({ _id, status, growth = [] }) =>
      _id !== arrival.orderId ||
      !isPlanted(status) ||
      growth.every((one) => isOver(one) || one.visits.length > 0),
  );
