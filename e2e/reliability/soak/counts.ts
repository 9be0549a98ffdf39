import type { Told } from './generator/crowd.ts';
import type { World } from './world.ts';

/** Compares promises with stores, without the product's code. @returns one sentence for each fault */
export function countFaults(found: {
  /** Payment intents charged by the provider, as buyers saw them. */
  charged: readonly string[];
  told: Told;
  orders: readonly { intentId: string | null }[];
  photos: readonly { filename: string; state: string }[];
}): string[] {
  const { charged, told, orders, photos } = found;
  const ordersOf = Map.groupBy(orders, ({ intentId }) => intentId);
  const stateOf = new Map(photos.map(({ filename, state }) => [filename, state]));
  const charges = new Set(charged);
  return [
    ...(charges.size === charged.length
      ? []
      : [`${charged.length - charges.size} intents were charged twice`]),
    ...told.paid.filter((id) => !charges.has(id)).map((id) => `intent ${id} was said to be paid, and is not`),
    ...[...charges].flatMap((id) => {
      const count = ordersOf.get(id)?.length ?? 0;
      return count === 1 ? [] : [`the charge of ${id} has ${count} orders`];
    }),
    ...orders.flatMap(({ intentId }) =>
      intentId !== null && charges.has(intentId) ? [] : [`an order stands on ${intentId}, which nobody paid`],
    ),
    ...told.photos.flatMap((filename) => {
      const state = stateOf.get(filename);
      return state === 'ready' ? [] : [`photo ${filename} was taken and is ${state ?? 'not there'}`];
    }),
  ];
}

export const readCounts = async (world: World, told: Told) => ({
  told,
  charged: await world.charged(),
  orders: await world.rows<{ intentId: string | null }>(
    `select transaction_id as "intentId" from orders.orders`,
  ),
  photos: await world.rows<{ filename: string; state: string }>(`select filename, state from media.photos`),
});
