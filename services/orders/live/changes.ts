import { type ChangeFeed, openChangeFeed } from '@arboleda/chassis/live/change-feed.ts';
import type { Collection } from '@arboleda/chassis/ports/documents.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { OrderChange } from '@arboleda/contracts/endpoints/orders/live.ts';
import type { Order } from '../order.ts';

export type OrderChanges = ChangeFeed<Order>;

/** What is told of a changed order: which, and enough to know whether one has seen it. */
export const changeOf = ({ _id, progress, statusRevision, updatedAt }: Order): OrderChange => ({
  orderId: _id,
  status: progress.status,
  revision: statusRevision,
  updatedAt,
});

export const openOrderChanges = (
  collection: Collection<Order>,
  parts: { clock: () => Date; logger: Logger },
): OrderChanges =>
  openChangeFeed<Order>({
    ...{ collection, ...parts },
    // Two replicas may change an order within one millisecond.
    versionOf: ({ updatedAt, statusRevision, timeline }) =>
      `${updatedAt} ${statusRevision} ${timeline.length}`,
  });
