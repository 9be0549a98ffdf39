import { type ChangeFeed, openChangeFeed } from '@arboleda/chassis/live/change-feed.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { OrderChange } from '@arboleda/contracts/endpoints/orders/live.ts';
import type { Order } from './order/order.ts';
import type { OrderStore } from './store.ts';

export type OrderChanges = ChangeFeed<Order>;

export const openOrderChanges = (
  { changedSince }: Pick<OrderStore, 'changedSince'>,
  parts: { clock: () => Date; logger: Logger },
): OrderChanges =>
  openChangeFeed<Order>({
    ...parts,
    changedSince,
    // Two replicas may change an order within one millisecond.
    versionOf: ({ updatedAt, statusRevision, timeline }) =>
      `${updatedAt} ${statusRevision} ${timeline.length}`,
  });

/** The change of an order, with enough to detect one already seen. */
export const changeOf = ({ id, progress, statusRevision, updatedAt }: Order): OrderChange => ({
  orderId: id,
  status: progress.status,
  revision: statusRevision,
  updatedAt,
});
