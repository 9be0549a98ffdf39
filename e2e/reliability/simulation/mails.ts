import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { EventType } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { type MoneyEvent, moneyMail } from '@arboleda/notifications/consumers/money.ts';
import { BEFORE_THE_ORDER } from '@arboleda/notifications/copies/orders.ts';
import type { NewMail } from '@arboleda/notifications/queue/mail.ts';
import { GIFT_JOB, giftJob } from '@arboleda/notifications/queue/gift-mail.ts';
import type { Service } from './simulator.ts';

export interface SentMail {
  mail: NewMail;
  /** Its cause. */
  event: MoneyEvent;
}

/** The events that are taken here. */
export const MAIL_EVENTS = [
  'payment.submitted',
  'payment.rejected',
  'payment.refunded',
  'payment.refund_failed',
  'payment.disputed',
  'photo_package.purchased',
  'order.created',
  'order.updated',
  'gift.scheduled',
  'gift.cancelled',
] as const satisfies readonly EventType[];

interface KnownOrder {
  customer: Customer;
  sequence: number;
}

/**
 * The emails about money: notifications' own decision, over the orders that it knows. Its other emails follow from one event each:
 * services/notifications/test shows those, late and out of order as well. Gifts are delivered on their day, because orders waits for that.
 * @returns the emails of each order
 */
export function openMails(service: Service, clock: () => Date): ReadonlyMap<string, readonly SentMail[]> {
  const orders = new Map<string, KnownOrder>();
  const gifts = new Map<string, { orderId: string; revision: number; isWaiting: boolean }>();
  const mails = new Map<string, SentMail[]>();
  const consumed = new Set<string>();

  async function consume(eventId: string, run: () => void): Promise<void> {
    service.touch();
    if (consumed.has(eventId)) return;
    run();
    consumed.add(eventId);
    service.mayCrash();
  }
  function know(orderId: string, customer: Customer, sequence: number) {
    if (sequence > (orders.get(orderId)?.sequence ?? -Infinity)) orders.set(orderId, { customer, sequence });
  }
  function send(event: MoneyEvent) {
    const { orderId } = event.data;
    const order = orders.get(orderId);
    // Events of different kinds are not ordered: it comes again.
    if (!order) throw new Error(`order ${orderId} is not known yet`);
    const { email: address, name } = order.customer;
    const payer = { to: { address, name, language: 'es' as const }, facts: { orderId, trees: 1 } };
    const mail = isErased(address)
      ? undefined
      : moneyMail(event, { plantedAt: undefined, withdraws: false }, payer);
    if (mail) mails.set(orderId, [...(mails.get(orderId) ?? []), { mail, event }]);
  }
  const sendOnce = (event: MoneyEvent) => consume(event.id, () => send(event));

  const handlers: Pick<Required<EventHandlers>, (typeof MAIL_EVENTS)[number]> = {
    'payment.submitted': (event) =>
      consume(event.id, () => {
        know(event.data.orderId, event.data.customer, BEFORE_THE_ORDER);
        send(event);
      }),
    'order.created': (event) =>
      consume(event.id, () => {
        know(event.data.orderId, event.data.customer, event.sequence);
        send(event);
      }),
    'order.updated': (event) =>
      consume(event.id, () => know(event.data.orderId, event.data.customer, event.sequence)),
    'payment.rejected': sendOnce,
    'payment.refunded': sendOnce,
    'payment.refund_failed': sendOnce,
    'payment.disputed': sendOnce,
    'photo_package.purchased': sendOnce,
    'gift.scheduled': (event) =>
      consume(event.id, () => {
        const { orderId, revision, deliverAt } = event.data;
        if (revision <= (gifts.get(orderId)?.revision ?? 0)) return;
        gifts.set(orderId, { orderId, revision, isWaiting: true });
        service.commit([], [giftJob(event.data, deliverAt)], 0);
      }),
    'gift.cancelled': (event) =>
      consume(event.id, () => {
        const { orderId, revision } = event.data;
        if (revision > (gifts.get(orderId)?.revision ?? 0))
          gifts.set(orderId, { orderId, revision, isWaiting: false });
      }),
  };
  void service.jobs.handle(GIFT_JOB, async ({ orderId }) => {
    service.touch();
    const gift = gifts.get(String(orderId));
    if (!gift?.isWaiting) return;
    gifts.set(gift.orderId, { ...gift, isWaiting: false });
    const at = clock().toISOString();
    const { revision } = gift;
    service.commit([{ type: 'gift.delivered', data: { orderId: gift.orderId, revision, at } }], [], 0);
    service.mayCrash();
  });
  service.subscribe(handlers);
  return mails;
}
