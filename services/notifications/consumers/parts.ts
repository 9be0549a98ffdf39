import type { OrderTokens } from '@arboleda/chassis/order-token.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import type { OrderCopy } from '../copies/orders.ts';
import type { MailFacts } from '../mails/index.ts';
import type { DonorKind } from '../mails/kinds.ts';
import type { NewMail } from '../queue/mail.ts';
import { queueMail } from '../queue/mail-store.ts';

export interface ConsumerParts {
  sql: Sql;
  clock: () => Date;
  orderToken: OrderTokens;
  /** How long photos of one order are gathered before the donor is told of them. */
  photoMailDelaySeconds: number;
}

/** Queues a mail to an order's donor; none to who asked to be forgotten. @param more what the mail says besides the order */
export async function tellDonor<Kind extends DonorKind>(
  tx: Transaction,
  order: OrderCopy,
  mail: { eventId: string; kind: Kind; more: Omit<MailFacts[Kind], keyof OrderCopy['facts']> },
): Promise<void> {
  if (isErased(order.to.address)) return;
  const { eventId, kind, more } = mail;
  await queueMail(tx, {
    eventId,
    kind,
    to: order.to,
    facts: { ...order.facts, ...more },
  } as unknown as NewMail);
}
