import type { Query } from '@arboleda/chassis/ports/documents.ts';
import type { ORDER_SORTS } from '@arboleda/contracts/endpoints/orders/listing.ts';
import type { Order } from '../order.ts';
import { nameKeyOf } from '../store/stored.ts';

export type Sort = (typeof ORDER_SORTS)[number];
/** Where a page ended: the values of the sort's fields. */
export type Position = readonly (string | number)[];

const by = (direction: 'asc' | 'desc', ...fields: string[]) =>
  [...fields, '_id'].map((field) => ({ field, direction }));

/** Amounts are compared within their currency. */
export const SORTS = {
  newest: by('desc', 'createdAt'),
  oldest: by('asc', 'createdAt'),
  trees: by('desc', 'trees'),
  amount: by('desc', 'currency', 'amountMinor'),
  name: by('asc', 'nameKey'),
  changed: by('desc', 'updatedAt'),
} as const satisfies Record<Sort, Query['sort']>;

/** Where a page that ends with this order ends. */
export function positionOf(order: Order, sort: Sort): Position {
  const { _id, createdAt, trees, currency, amountMinor, updatedAt } = order;
  const values = {
    newest: [createdAt],
    oldest: [createdAt],
    trees: [trees],
    amount: [currency, amountMinor],
    name: [nameKeyOf(order)],
    changed: [updatedAt],
  } satisfies Record<Sort, Position>;
  return [...values[sort], _id];
}
