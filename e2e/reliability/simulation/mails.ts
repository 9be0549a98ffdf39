import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { type MoneyEvent, moneyMail } from '@arboleda/notifications/consumers/money.ts';
import { BEFORE_THE_ORDER } from '@arboleda/notifications/copies/orders.ts';
import { GIFT_JOB, giftJob } from '@arboleda/notifications/queue/gift-mail.ts';
import type { NewMail } from '@arboleda/notifications/queue/mail.ts';
import { MAIL_EVENTS } from './history.ts';
import type { Service } from './simulator.ts';

export interface SentMail {
  mail: NewMail;
  /** Its cause. */
  event: MoneyEvent;
}

type MailEvent = ArboledaEvent<(typeof MAIL_EVENTS)[number]>;

interface KnownOrder {
  customer: Customer;
  sequence: number;
}
interface KnownGift {
  revision: number;
  isWaiting: boolean;
}

/**
 * The emails about money: notifications' own decision, over the orders that it knows. Its other emails follow from one event each:
 * services/notifications/test shows those, late and out of order as well. Gifts are delivered on their day, because orders waits for that.
 * @returns the emails of each order
 */
export function openMails(service: Service, clock: () => Date): ReadonlyMap<string, readonly SentMail[]> {
  const orders = new Map<string, KnownOrder>();
  const gifts = new Map<string, KnownGift>();
  const mails = new Map<string, SentMail[]>();
  const consumed = new Set<string>();

  function know({ orderId, customer }: { orderId: string; customer: Customer }, sequence: number): void {
    if (sequence > (orders.get(orderId)?.sequence ?? -Infinity)) orders.set(orderId, { customer, sequence });
  }
  function knowGift(
    { orderId, revision }: { orderId: string; revision: number },
    isWaiting: boolean,
  ): boolean {
    const isNews = revision > (gifts.get(orderId)?.revision ?? 0);
    if (isNews) gifts.set(orderId, { revision, isWaiting });
    return isNews;
  }
  function send(event: MoneyEvent): void {
    const { orderId } = event.data;
    const order = orders.get(orderId);
    // Events of different kinds are not ordered: it comes again.
    if (!order) throw new Error(`order ${orderId} is not known yet`);
    const { email: address, name } = order.customer;
    if (isErased(address)) return;
    const payer = { to: { address, name, language: 'es' as const }, facts: { orderId, trees: 1 } };
    const mail = moneyMail(event, { plantedAt: undefined, withdraws: false }, payer);
    if (mail) mails.set(orderId, [...(mails.get(orderId) ?? []), { mail, event }]);
  }

  function take(event: MailEvent): void {
    switch (event.type) {
      case 'payment.submitted':
        know(event.data, BEFORE_THE_ORDER);
        return send(event);
      case 'order.created':
        know(event.data, event.sequence);
        return send(event);
      case 'order.updated':
        return know(event.data, event.sequence);
      case 'gift.scheduled':
        if (knowGift(event.data, true)) service.commit([], [giftJob(event.data, event.data.deliverAt)], 0);
        return;
      case 'gift.cancelled':
        return void knowGift(event.data, false);
      default:
        return send(event);
    }
  }
  async function takeOnce(event: MailEvent): Promise<void> {
    service.touch();
    if (consumed.has(event.id)) return;
    take(event);
    consumed.add(event.id);
    service.mayCrash();
  }
  service.subscribe(Object.fromEntries(MAIL_EVENTS.map((type) => [type, takeOnce])) as EventHandlers);

  void service.jobs.handle(GIFT_JOB, async ({ orderId: id }) => {
    service.touch();
    const orderId = String(id);
    const gift = gifts.get(orderId);
    if (!gift?.isWaiting) return;
    gifts.set(orderId, { ...gift, isWaiting: false });
    const data = { orderId, revision: gift.revision, at: clock().toISOString() };
    service.commit([{ type: 'gift.delivered', data }], [], 0);
    service.mayCrash();
  });
  return mails;
}
