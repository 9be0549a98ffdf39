import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { eraseGiftBuyer, eraseOrderMails, redirectMails } from '../copies/erasure.ts';
import { keepOrder, orderCopies, requireOrder, updateOrder } from '../copies/orders.ts';
import { workerRecipient } from '../copies/workers.ts';
import { forgetAddress } from '../queue/addresses.ts';
import type { NewMail } from '../queue/mail.ts';
import { announceInReceipt, queueMails, wasQueued } from '../queue/mail-store.ts';
import { type ConsumerParts, queueDonorMail, queueMoneyMail, queueTreesMail, toDonor } from './parts.ts';

/** Emails about an order, to its donor and its workers. */
export function orderConsumers({
  sql,
  clock,
  orderToken,
  receiptMailDelaySeconds,
}: ConsumerParts): EventHandlers {
  return {
    'order.created': async (event) => {
      await sql.consume(event.id, async (tx) => {
        const { orderId, customer } = event.data;
        const kept = await keepOrder(tx, event.data, orderToken(orderId), event.sequence);
        const order = kept ?? (await requireOrder(tx, orderId));
        // The approval may arrive after the erasure, and the submission last; then no order.updated follows.
        if (isErased(customer.email)) await eraseOrderMails(tx, orderId);
        const delayMs = receiptMailDelaySeconds * 1000;
        await queueMoneyMail(
          tx,
          event,
          order,
          delayMs > 0 ? new Date(clock().getTime() + delayMs) : undefined,
        );
      });
    },

    'order.updated': async ({ id: eventId, sequence, data }) => {
      await sql.consume(eventId, async (tx) => {
        const before = await requireOrder(tx, data.orderId);
        const order = await updateOrder(tx, data, sequence);
        if (!order) return;
        if (isErased(data.customer.email)) {
          await eraseOrderMails(tx, data.orderId);
          await eraseGiftBuyer(tx, data.orderId);
          await forgetAddress(tx, before.to.address);
        } else {
          await redirectMails(tx, data.orderId, order.to);
        }
      });
    },

    'order.withdrawal_requested': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        const { requestedAt, refundBy, method, amountMinor, currency } = data;
        const byTransfer = method.kind === 'transfer' && ({ byTransfer: true } as const);
        const facts = { ...order.facts, requestedAt, refundBy, amountMinor, currency, ...byTransfer };
        await queueDonorMail(tx, order, { eventId, kind: 'withdrawal-requested', facts });
      });
    },

    'order.withdrawal_retracted': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        const facts = { ...order.facts, retractedAt: data.at };
        await queueDonorMail(tx, order, { eventId, kind: 'withdrawal-retracted', facts });
      });
    },

    'order.assigned': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { worker, at: assignedAt, reason, previousWorker } = data;
        const order = await requireOrder(tx, data.orderId);
        const { orderId, trees } = order.facts;
        if (order.withdrawn || data.statusRevision < order.planterRevision) return;
        await orderCopies.put(tx, { ...order, planter: worker, planterRevision: data.statusRevision });
        const planter = { name: worker.name, region: worker.region };
        // A first assignment that arrives late is announced as such.
        const isPlanted = order.plantedAt !== undefined && data.by !== undefined;
        const inReceipt =
          receiptMailDelaySeconds > 0 && !isPlanted && (await announceInReceipt(tx, orderId, planter));
        const ofDonor = {
          eventId,
          kind: 'assigned' as const,
          facts: {
            ...order.facts,
            planter,
            ...(previousWorker && { previous: previousWorker.name }),
            ...(isPlanted && { isPlanted }),
          },
        };
        const ofWorker: NewMail = {
          eventId,
          kind: 'worker-assigned',
          to: await workerRecipient(tx, worker),
          facts: { orderId, trees, region: order.region ?? worker.region, assignedAt, reason },
        };
        const ofFormerWorker: NewMail[] =
          previousWorker && previousWorker.workerId !== worker.workerId
            ? [
                {
                  eventId,
                  kind: 'worker-unassigned',
                  to: await workerRecipient(tx, previousWorker),
                  facts: { orderId, trees, why: 'other-worker', reason },
                },
              ]
            : [];
        await queueMails(tx, [...(inReceipt ? [] : toDonor(order, ofDonor)), ofWorker, ...ofFormerWorker]);
      });
    },

    'order.planted': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        await orderCopies.put(tx, {
          ...order,
          plantedAt: data.at,
          place: data.location ?? order.place,
          coordinates: data.coordinates ?? order.coordinates,
        });
        if (await wasQueued(tx, data.orderId, 'planted')) return;
        const planter = { name: data.worker.name, region: data.worker.region };
        const more = { planter, plantedAt: data.at, place: data.location, coordinates: data.coordinates };
        await queueTreesMail(tx, order, { eventId, kind: 'planted', facts: { ...order.facts, ...more } });
      });
    },

    'certificate.issued': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        // Other emails bring the news.
        if (data.because === 'record') return;
        const { code, version } = data;
        const facts = { ...order.facts, code, version };
        await queueDonorMail(tx, order, { eventId, kind: 'certificate', facts });
      });
    },

    'certificate.revoked': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        const { code, cause, reason, at: revokedAt } = data;
        const facts = { ...order.facts, code, cause, reason, revokedAt };
        await queueDonorMail(tx, order, { eventId, kind: 'certificate-revoked', facts });
      });
    },

    'order.completed': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        if (await wasQueued(tx, data.orderId, 'completed')) return;
        await queueTreesMail(tx, order, {
          eventId,
          kind: 'completed',
          facts: { ...order.facts, completedAt: data.at },
        });
      });
    },
  };
}
