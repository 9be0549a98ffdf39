import { CARBON_KG_PER_TREE_YEAR, PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import type { OrderStore } from '../store.ts';

/** Of who has no orders, or has not shown that they are theirs. */
export const NO_STATS = { totalTrees: 0, totalOrders: 0, treesPlanted: 0, carbonOffset: 0 };

/**
 * A customer's tiles. Ordered is what was paid and what a transfer was announced for, not what was rejected or withdrawn;
 * planted is what stands in the ground for money that is there (product spec section 4).
 */
export async function readCustomerStats({ orders }: OrderStore, emailKey: string) {
  const [ordersBy, treesBy, treesPlanted] = await Promise.all([
    orders.countBy('figures.standing', { emailKey }),
    orders.sumBy('trees', 'figures.standing', { emailKey }),
    orders.sum('trees', {
      emailKey,
      'figures.standing': 'paid',
      'progress.status': { in: PLANTED_STATUSES },
    }),
  ]);
  const ordered = (by: Record<string, number>) => (by.paid ?? 0) + (by.awaiting ?? 0);
  return {
    totalTrees: ordered(treesBy),
    totalOrders: ordered(ordersBy),
    treesPlanted,
    carbonOffset: CARBON_KG_PER_TREE_YEAR * treesPlanted,
  };
}
