import type { OrderTokens } from '@arboleda/chassis/order-token.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import type { OrderCopy } from '../copies/orders.ts';
import type { DonorKind } from '../mails/kinds.ts';
import type { Unaddressed } from '../queue/mail.ts';
import { queueMail } from '../queue/mail-store.ts';

export interface ConsumerParts {
  sql: Sql;
  clock: () => Date;
  orderToken: OrderTokens;
  /** How long a receipt waits to name the worker; 0 sends an email of its own for that. */
  receiptMailDelaySeconds: number;
  /** How long photos of one order are collected before the donor is notified. */
  photoMailDelaySeconds: number;
}

/** Queues an email to an order's donor, unless they were erased. @param runAt the earliest time to send it */
export async function queueDonorMail(
  tx: Transaction,
  { to }: OrderCopy,
  mail: Unaddressed<DonorKind>,
  runAt?: Date,
): Promise<void> {
  if (!isErased(to.address)) await queueMail(tx, { ...mail, to }, { runAt });
}
