import { aboutOrder } from '@arboleda/chassis/context.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { Order } from '../order.ts';

/** What is answered is about this order. @throws Problem `not-found` */
export function found(order: Order | undefined): Order {
  if (!order) throw new Problem('not-found');
  aboutOrder(order._id);
  return order;
}
