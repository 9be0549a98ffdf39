import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import {
  BEFORE_THE_ORDER,
  isOrderPayment,
  keepOrder,
  keepOrderPayment,
  requireOrder,
} from '../copies/orders.ts';
import { wasQueued } from '../queue/mail-store.ts';
import { type ConsumerParts, tellDonor } from './parts.ts';

/** Whoever paid hears what becomes of their money. */
export function paymentConsumers({ sql }: ConsumerParts): EventHandlers {
  return {
    'payment.submitted': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const kept = await keepOrder(tx, data, BEFORE_THE_ORDER);
        await keepOrderPayment(tx, data.paymentId);
        const order = kept ?? (await requireOrder(tx, data.orderId));
        // That somebody is looking for the money is no news once they found it.
        if (await wasQueued(tx, data.orderId, 'transfer-approved')) return;
        const { amountMinor, currency, referenceNumber, submittedAt } = data;
        const more = { amountMinor, currency, referenceNumber, submittedAt };
        await tellDonor(tx, order, { eventId, kind: 'transfer-received', more });
      });
    },

    'payment.succeeded': async ({ id, data }) => {
      await sql.write({
        eventId: id,
        steps:
          'written as (insert into order_payments (payment_id) select $1 from unseen on conflict do nothing returning payment_id)',
        values: [data.paymentId],
      });
    },

    'payment.rejected': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        await tellDonor(tx, order, { eventId, kind: 'transfer-rejected', more: { reason: data.reason } });
      });
    },

    'payment.refunded': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        const { amountMinor, currency, refundedMinor, at: refundedAt } = data;
        const more = {
          ...{ amountMinor, currency, refundedMinor, refundedAt },
          // What happens to the trees depends on the money for the trees.
          isFull: data.isFull && (await isOrderPayment(tx, data.paymentId)),
          isPlanted: order.plantedAt !== undefined,
        };
        await tellDonor(tx, order, { eventId, kind: 'refunded', more });
      });
    },
  };
}
