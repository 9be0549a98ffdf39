import type { ApiResponse } from '@arboleda/contracts/api.ts';
import { PLANTED_STATUSES } from '@arboleda/contracts/order.ts';
import type { OrderStore } from '../store.ts';

export type Stats = ApiResponse<'GET /api/stats'>;

const PAID = { unpaid: { exists: false } };

/** The public figures. @param baselineTrees planted before this software counted them */
export async function readStats({ orders }: OrderStore, baselineTrees: number): Promise<Stats> {
  const [planted, paid, withdrawn, photographed] = await Promise.all([
    orders.sum('trees', { ...PAID, 'progress.status': { in: PLANTED_STATUSES } }),
    orders.sum('trees', PAID),
    orders.sum('trees', { 'figures.standing': 'withdrawn' }),
    orders.sum('trees', { 'figures.standing': 'paid', 'figures.isPhotographed': true }),
  ]);
  const treesPlanted = baselineTrees + planted;
  const funded = Math.max(0, paid - withdrawn);
  return { treesPlanted, planted, funded, photographed, hectares: hectaresOf(treesPlanted) };
}

/** Product spec section 9. */
export const hectaresOf = (trees: number): number => Math.floor(trees / 100) + 3;
