import { CARBON_KG_PER_TREE_YEAR, isPlanted } from '@arboleda/contracts/order.ts';
import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../api/client.ts';
import type { OpenSession } from '../portal/Gate.tsx';

export type CustomerOrder = Answer<'GET /api/customers/orders'>['orders'][number];

/** How often an open page looks for news, ms. */
const REFRESH_MS = 5_000;

/** One's own orders, kept fresh while the page is in view; there are none to see before the address is verified. */
export const useOrders = ({ call, person }: OpenSession<'customer'>) =>
  useQuery({
    queryKey: ['customer', 'orders', person.id],
    enabled: person.emailVerified,
    queryFn: ({ signal }) => call('GET /api/customers/orders', { signal }),
    refetchInterval: REFRESH_MS,
  });

export interface CustomerStats {
  totalTrees: number;
  treesPlanted: number;
  totalOrders: number;
  /** kg of CO₂ a year. */
  carbonOffset: number;
}

/** The four tiles: product spec sections 3 and 4. */
export function statsOf(orders: readonly Pick<CustomerOrder, 'status' | 'trees'>[]): CustomerStats {
  const sum = (some: readonly Pick<CustomerOrder, 'trees'>[]) =>
    some.reduce((total, { trees }) => total + trees, 0);
  const treesPlanted = sum(orders.filter(({ status }) => isPlanted(status)));
  return {
    totalTrees: sum(orders),
    treesPlanted,
    totalOrders: orders.length,
    carbonOffset: treesPlanted * CARBON_KG_PER_TREE_YEAR,
  };
}
