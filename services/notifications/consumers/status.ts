import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { isPlanted } from '@arboleda/contracts/order.ts';
import { orderCopies, type OrderCopy, requireOrder } from '../copies/orders.ts';
import { workerRecipient } from '../copies/workers.ts';
import { PLANTER_KINDS } from '../mails/kinds.ts';
import { dropWaiting, queueMail, wasQueued, withdrawFromReceipt } from '../queue/mail-store.ts';
import { type ConsumerParts, queueTreesMail } from './parts.ts';

type Change = EventData<'order.status_changed'>;

/** Emails about an admin's changes of status, which no other event announces. */
export function statusConsumers({ sql }: ConsumerParts): EventHandlers {
  return {
    'order.status_changed': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        if (data.statusRevision <= order.statusRevision) return;
        const kept: OrderCopy = {
          ...order,
          statusRevision: data.statusRevision,
          plantedAt: isPlanted(data.to) ? (order.plantedAt ?? data.at) : undefined,
          withdrawn: isStopped(data),
          // The refund comes after it.
          withdraws:
            (data.held === true && data.heldFor !== 'return') || (data.withdrawn === true && order.withdraws),
        };
        await orderCopies.put(tx, kept);
        if (data.to === 'pending') await queueFormerWorkerMail(tx, kept, data, eventId);
        if (data.by.role === 'admin') await queueAdminsStepMail(tx, order, data, eventId);
      });
    },
  };
}

/** Refunded, or held: its donor withdraws, or its money may be gone. */
const isStopped = ({ withdrawn, held }: Change): boolean => withdrawn === true || held === true;

/** Notifies the former worker, who should not set out. */
async function queueFormerWorkerMail(tx: Transaction, order: OrderCopy, change: Change, eventId: string) {
  const { orderId, trees } = order.facts;
  if (isStopped(change)) await dropWaiting(tx, orderId, PLANTER_KINDS, 'withdrawn');
  if (change.statusRevision <= order.planterRevision) return;
  await orderCopies.put(tx, { ...order, planter: undefined, planterRevision: change.statusRevision });
  await withdrawFromReceipt(tx, orderId);
  if (!order.planter) return;
  const isHeld = change.held && (change.heldFor === 'return' ? 'held-by-office' : 'held');
  const why = isHeld || (change.withdrawn ? 'withdrawn' : 'taken-back');
  await queueMail(tx, {
    eventId,
    kind: 'worker-unassigned',
    to: await workerRecipient(tx, order.planter),
    facts: { orderId, trees, why, reason: change.reason },
  });
}

/**
 * Notifies of an admin's step. A worker's steps arrive as order.planted and order.completed; each is
 * announced once.
 */
async function queueAdminsStepMail(tx: Transaction, order: OrderCopy, change: Change, eventId: string) {
  const { orderId, from, to, at } = change;
  if (from === to || from === 'completed') return;
  if (to === 'planted' && !(await wasQueued(tx, orderId, 'planted'))) {
    const { planter, place, coordinates } = order;
    const by = planter && { name: planter.name, region: planter.region };
    const more = { plantedAt: at, place, coordinates, planter: by };
    await queueTreesMail(tx, order, { eventId, kind: 'planted', facts: { ...order.facts, ...more } });
  }
  if (to === 'completed' && !(await wasQueued(tx, orderId, 'completed'))) {
    await queueTreesMail(tx, order, {
      eventId,
      kind: 'completed',
      facts: { ...order.facts, completedAt: at },
    });
  }
}
