import type { Collection } from '@arboleda/chassis/ports/documents.ts';
import type { Order } from '../order.ts';
import { fromStored, type StoredOrder, toStored } from './stored.ts';

/** Orders as decisions see them; what they are found by is kept up to date behind their back. */
export function asOrders(stored: Collection<StoredOrder>, clock: () => Date): Collection<Order> {
  const read = (kept: StoredOrder | undefined) => kept && fromStored(kept);
  return {
    get: async (id) => read(await stored.get(id)),
    // Half of what an order weighs, by which it is found and no more.
    find: async (query) => (await stored.find({ ...query, without: ['words'] })).map(fromStored),
    count: (where, bound) => stored.count(where, bound),
    countBy: (field, where, bound) => stored.countBy(field, where, bound),
    sum: (field, where) => stored.sum(field, where),
    figuresBy: (by, summed, where) => stored.figuresBy(by, summed, where),
    async change(id, decide, options) {
      const change = (kept: StoredOrder | undefined) => {
        const before = read(kept);
        const decided = decide(before);
        return decided && { ...decided, document: toStored(before, decided.document, clock().toISOString()) };
      };
      return read(await stored.change(id, change, options));
    },
  };
}
