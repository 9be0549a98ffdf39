import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { type FieldStep, decideCreation, decidePhoto, decideStep } from './order.ts';
import type { OrderStore } from './store.ts';

/** What orders listens to. Each event's effect and its id are one write, so a second delivery changes nothing. */
export function consumers({ orders }: OrderStore): EventHandlers {
  const step = async (event: FieldStep & { id: string }) => {
    await orders.change(event.data.orderId, (current) => decideStep(current, event), { eventId: event.id });
  };
  return {
    async 'payment.succeeded'({ id, data }) {
      await orders.change(data.orderId, (current) => decideCreation(current, data), { eventId: id });
    },
    'order.assigned': step,
    'order.planted': step,
    'order.completed': step,
    async 'photo.uploaded'({ id, data }) {
      await orders.change(data.orderId, (current) => decidePhoto(current, data), { eventId: id });
    },
  };
}
