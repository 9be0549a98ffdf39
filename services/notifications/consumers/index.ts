import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { accountConsumers } from './accounts.ts';
import { giftConsumers } from './gifts.ts';
import { growthConsumers } from './growth.ts';
import { orderConsumers } from './orders.ts';
import type { ConsumerParts } from './parts.ts';
import { paymentConsumers } from './payments.ts';
import { statusConsumers } from './status.ts';

/** Events and their emails. An email is queued in the transaction that records the event, so each exists once. */
export const consumers = (parts: ConsumerParts): EventHandlers => ({
  ...accountConsumers(parts),
  ...paymentConsumers(parts),
  ...orderConsumers(parts),
  ...statusConsumers(parts),
  ...growthConsumers(parts),
  ...giftConsumers(parts),
});
