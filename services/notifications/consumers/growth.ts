import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import { gifts, knownAddress, requireGift } from '../copies/gifts.ts';
import { requireOrder } from '../copies/orders.ts';
import { hidePhoto, keepPhoto } from '../copies/photos.ts';
import { workerRecipient } from '../copies/workers.ts';
import { queueMail } from '../queue/mail-store.ts';
import { photoJob } from '../queue/photo-mail.ts';
import { moneyMail } from './money.ts';
import { type ConsumerParts, queueMoneyMail, queueTreesMail } from './parts.ts';

/** Emails about photos of the planting and about growth updates. */
export function growthConsumers({
  sql,
  clock,
  photoMailDelaySeconds,
  addressHash,
}: ConsumerParts): EventHandlers {
  return {
    'photo.uploaded': async ({ id: eventId, data }) => {
      // Photos of a growth visit are announced when the visit is completed.
      if (data.growthVisitId !== undefined) return;
      await sql.consume(eventId, async (tx) => {
        await keepPhoto(tx, data, eventId);
        const runAt = new Date(clock().getTime() + photoMailDelaySeconds * 1000);
        await tx.enqueue([photoJob(data.orderId, runAt)]);
      });
    },

    'photo.hidden': async ({ id, sequence, data }) => {
      await sql.consume(id, (tx) => hidePhoto(tx, data.photoId, true, sequence));
    },

    'photo.restored': async ({ id, sequence, data }) => {
      await sql.consume(id, (tx) => hidePhoto(tx, data.photoId, false, sequence));
    },

    'photo_package.purchased': async (event) => {
      await sql.consume(event.id, async (tx) => {
        const { data } = event;
        const order = await requireOrder(tx, data.orderId);
        if (!data.byRecipient) return queueMoneyMail(tx, event, order);
        const gift = await requireGift(tx, data.orderId);
        const { token: giftToken } = gift;
        await gifts.put(tx, { ...gift, purchases: [...gift.purchases, data.purchaseId] });
        const { name, email: address } = data.customer;
        const { erasedAt } = await knownAddress(tx, address, addressHash);
        if (erasedAt && erasedAt >= new Date(data.purchasedAt)) return;
        const { orderId, trees } = order.facts;
        const to = { address, name, language: data.language };
        await queueMail(tx, moneyMail(event, order, { to, facts: { orderId, trees, giftToken } })!);
      });
    },

    'growth_visit.due': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { orderId, trees, number, of, dueAt, location, reminders } = data;
        const facts = { orderId, trees, number, of, dueAt, location, reminders };
        const to = await workerRecipient(tx, data.worker);
        await queueMail(tx, { eventId, kind: 'growth-visit-due', to, facts });
      });
    },

    'growth_visit.completed': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const order = await requireOrder(tx, data.orderId);
        const { number, of, photos, at: visitedAt } = data;
        const planter = { name: data.worker.name, region: data.worker.region };
        const more = { number, of, photos, visitedAt, planter };
        await queueTreesMail(tx, order, {
          eventId,
          kind: 'growth-update',
          facts: { ...order.facts, ...more },
        });
      });
    },
  };
}
