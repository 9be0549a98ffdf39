import { CARBON_KG_PER_TREE_YEAR, PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import type { OrderStore } from '../store.ts';

/** Of who has no orders, or has not shown that they are theirs. */
export const NO_STATS = { totalTrees: 0, totalOrders: 0, treesPlanted: 0, carbonOffset: 0 };

/**
 * A customer's tiles. Ordered is what was paid and what a transfer was announced for, not what was rejected or withdrawn;
 * planted is what stands in the ground for money that is there (product spec section 4).
 */
export async function readCustomerStats({ orders }: OrderStore, emailKey: string) {
  const [{ paid, awaiting }, treesPlanted] = await Promise.all([
    orders.figuresBy('figures.standing', ['trees'], { emailKey }),
    orders.sum('trees', {
      emailKey,
      'figures.standing': 'paid',
      'progress.status': { in: PLANTED_STATUSES },
    }),
  ]);
  return {
    totalTrees: (paid?.sums.trees ?? 0) + (awaiting?.sums.trees ?? 0),
    totalOrders: (paid?.count ?? 0) + (awaiting?.count ?? 0),
    treesPlanted,
    carbonOffset: CARBON_KG_PER_TREE_YEAR * treesPlanted,
  };
}
