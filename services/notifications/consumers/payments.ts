import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { BEFORE_THE_ORDER, keepOrder, requireOrder } from '../copies/orders.ts';
import { wasQueued } from '../queue/mail-store.ts';
import type { MoneyEvent } from './money.ts';
import { type ConsumerParts, queueMoneyMail } from './parts.ts';

/** Emails about money: see money.ts. */
export function paymentConsumers({ sql, orderToken }: ConsumerParts): EventHandlers {
  const queue = async (event: MoneyEvent) => {
    await sql.consume(event.id, async (tx) => {
      await queueMoneyMail(tx, event, await requireOrder(tx, event.data.orderId));
    });
  };
  return {
    'payment.submitted': async (event) => {
      await sql.consume(event.id, async (tx) => {
        const { orderId } = event.data;
        const kept = await keepOrder(tx, event.data, orderToken(orderId), BEFORE_THE_ORDER);
        const order = kept ?? (await requireOrder(tx, orderId));
        // A submission is not announced after its approval.
        if (!(await wasQueued(tx, orderId, 'transfer-approved'))) await queueMoneyMail(tx, event, order);
      });
    },
    'payment.rejected': queue,
    'payment.refunded': queue,
    'payment.refund_failed': queue,
    'payment.disputed': queue,
  };
}
