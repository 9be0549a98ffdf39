import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { decidePayment, decideRejection, decideSubmission } from './decisions/creation.ts';
import {
  decideGrowthEnd,
  decideGrowthPurchase,
  decideGrowthSchedule,
  decideGrowthVisit,
} from './decisions/growth.ts';
import { decideDispute, decideRefund, decideRefundFailure } from './decisions/money.ts';
import { decideAddress, decideErasure } from './decisions/person.ts';
import { decidePhoto, decideVisibility } from './decisions/photos.ts';
import { decideStep, type FieldStep } from './decisions/step.ts';
import { positionOf, type Position } from './listing/sort.ts';
import type { Order } from './order.ts';
import type { OrderStore } from './store.ts';

const AT_ONCE = 100;

/** What orders listens to. Each event's effect and its id are one write, so a second delivery changes nothing. */
export function consumers(store: OrderStore): EventHandlers {
  const { orders } = store;
  type Decide<Data> = (current: Order | undefined, data: Data) => Change<Order> | undefined;

  const on =
    <Data extends { orderId: string }>(decide: Decide<Data>) =>
    async ({ id, data }: { id: string; data: Data }) => {
      await orders.change(data.orderId, (current) => decide(current, data), { eventId: id });
    };
  /** The type tells what is meant. */
  const onWhole =
    <Event extends { data: { orderId: string } }>(decide: Decide<Event>) =>
    async (event: Event & { id: string }) => {
      await orders.change(event.data.orderId, (current) => decide(current, event), { eventId: event.id });
    };
  const step = onWhole<FieldStep>(decideStep);

  /** All orders of an address, however many, each once. */
  async function ofAddress(email: string, change: (orderId: string) => Promise<unknown>): Promise<void> {
    let after: Position | undefined;
    for (;;) {
      const some = await store.ofCustomer(email.toLowerCase(), { after, limit: AT_ONCE });
      for (const { _id } of some) await change(_id);
      if (some.length < AT_ONCE) return;
      after = positionOf(some.at(-1)!, 'newest');
    }
  }

  return {
    'payment.submitted': on(decideSubmission),
    'payment.succeeded': on(decidePayment),
    'payment.rejected': on(decideRejection),
    'payment.refunded': on(decideRefund),
    'payment.refund_failed': on(decideRefundFailure),
    'payment.disputed': on(decideDispute),

    'order.assigned': step,
    'order.planted': step,
    'order.completed': step,

    'photo.uploaded': on(decidePhoto),
    'photo.hidden': onWhole(decideVisibility),
    'photo.restored': onWhole(decideVisibility),

    'photo_package.purchased': on(decideGrowthPurchase),
    'photo_package.completed': on(decideGrowthEnd),
    'growth_visit.scheduled': on(decideGrowthSchedule),
    'growth_visit.completed': on(decideGrowthVisit),

    /** Orders of an address that was never verified may be somebody else's. */
    async 'customer.erased'({ data: { accountId, email, ordersToo, at } }) {
      if (!ordersToo) return;
      const by = { role: 'customer', id: accountId } as const;
      await ofAddress(email, (id) => orders.change(id, (order) => decideErasure(order, { email, by, at })));
    },
    async 'email.changed'({ data }: { data: EventData<'email.changed'> }) {
      const { accountId, role, name, from, to, fromVerified, at } = data;
      if (role !== 'customer' || !fromVerified || from.toLowerCase() === to.toLowerCase()) return;
      const by = { role, id: accountId, name } as const;
      await ofAddress(from, (id) => orders.change(id, (order) => decideAddress(order, { from, to, by, at })));
    },
  };
}
