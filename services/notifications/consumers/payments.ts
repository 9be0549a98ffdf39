import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { BEFORE_THE_ORDER, keepOrder, requireOrder } from '../copies/orders.ts';
import { queueMail, wasQueued } from '../queue/mail-store.ts';
import type { MoneyEvent } from './money.ts';
import { type ConsumerParts, queueMoneyMail } from './parts.ts';

/** The organisation is in Colombia. */
const OFFICE_LANGUAGE: Language = 'es';

/** Emails about money: see money.ts. */
export function paymentConsumers({ sql, orderToken, officeEmail }: ConsumerParts): EventHandlers {
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
    'payment.return_suspected': async ({ id: eventId, data }) => {
      const { orderId, amountMinor, currency, day } = data;
      const facts = { orderId, amountMinor, currency, day };
      const to = { address: officeEmail, name: '', language: OFFICE_LANGUAGE };
      await sql.consume(eventId, async (tx) => {
        await queueMail(tx, { eventId, kind: 'return-suspected', to, facts });
      });
    },
  };
}
