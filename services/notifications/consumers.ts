import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { queueMail } from './mail-store.ts';
import { photoJob } from './photo-news.ts';
import { keepOrder, keepPhoto, keepWorker, requireOrder, workerLanguage } from './store.ts';

/** Who hears of what. A mail is queued in the transaction that records the event, so each is there once. */
export function consumers(parts: {
  sql: Sql;
  clock: () => Date;
  photoMailDelaySeconds: number;
}): EventHandlers {
  const { sql, clock, photoMailDelaySeconds } = parts;
  return {
    'worker.registered': async ({ id, sequence, data }) => {
      await sql.consume(id, (tx) => keepWorker(tx, data, sequence));
    },
    'worker.updated': async ({ id, sequence, data }) => {
      await sql.consume(id, (tx) => keepWorker(tx, data, sequence));
    },

    'order.created': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        await keepOrder(tx, data);
        // A transfer is not a payment until somebody has seen the money.
        if (data.paymentMethod !== 'stripe') return;
        const { to, facts } = await requireOrder(tx, data.orderId);
        const { amountMinor, currency, card, createdAt, transactionId } = data;
        const paid = { amountMinor, currency, card, paidAt: createdAt, transactionId };
        await queueMail(tx, { eventId, kind: 'receipt', to, facts: { ...facts, ...paid } });
      });
    },

    'order.assigned': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { worker, at } = data;
        const { to, facts, region } = await requireOrder(tx, data.orderId);
        const planter = { name: worker.name, region: worker.region };
        await queueMail(tx, { eventId, kind: 'assigned', to, facts: { ...facts, planter } });
        const language = await workerLanguage(tx, worker.workerId);
        const { orderId, trees } = facts;
        await queueMail(tx, {
          eventId,
          kind: 'worker-assigned',
          to: { address: worker.email, name: worker.name, language },
          facts: { orderId, trees, region: region ?? worker.region, assignedAt: at },
        });
      });
    },

    'order.planted': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { to, facts } = await requireOrder(tx, data.orderId);
        const planter = { name: data.worker.name, region: data.worker.region };
        const planted = { planter, plantedAt: data.at, place: data.location, coordinates: data.coordinates };
        await queueMail(tx, { eventId, kind: 'planted', to, facts: { ...facts, ...planted } });
      });
    },

    'photo.uploaded': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        await keepPhoto(tx, data, eventId);
        await tx.enqueue([
          photoJob(data.orderId, new Date(clock().getTime() + photoMailDelaySeconds * 1000)),
        ]);
      });
    },

    'order.completed': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { to, facts } = await requireOrder(tx, data.orderId);
        await queueMail(tx, { eventId, kind: 'completed', to, facts: { ...facts, completedAt: data.at } });
      });
    },

    'email.verification_requested': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { name, email: address, language, token, expiresAt } = data;
        const to = { address, name, language };
        await queueMail(tx, { eventId, kind: 'verify-email', to, facts: { token, expiresAt } });
      });
    },
  };
}
