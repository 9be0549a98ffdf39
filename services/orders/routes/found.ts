import { Problem } from '@arboleda/contracts/problems.ts';
import type { Order } from '../order.ts';

/** @throws Problem `not-found` */
export function found(order: Order | undefined): Order {
  if (!order) throw new Problem('not-found');
  return order;
}
