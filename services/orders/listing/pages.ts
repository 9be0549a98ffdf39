import type { Order } from '../order.ts';
import type { OrderStore } from '../store.ts';
import type { Filter } from './filter.ts';
import { positionOf, type Position, type Sort } from './sort.ts';

const PAGE_ORDERS = 500;

/** All orders that a filter finds, of which never more than a page is in memory. */
export async function* everyOrder(
  store: Pick<OrderStore, 'page'>,
  { filter, sort }: { filter: Filter; sort: Sort },
  limit = PAGE_ORDERS,
): AsyncIterable<Order> {
  let after: Position | undefined;
  for (;;) {
    const page = await store.page({ filter, sort, after, limit });
    yield* page;
    if (page.length < limit) return;
    after = positionOf(page.at(-1)!, sort);
  }
}
