import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { claimedGift } from '../copies/gifts.ts';
import { requireOrder } from '../copies/orders.ts';
import { markAnnounced, unannouncedPhotos } from '../copies/photos.ts';
import { queueMail } from './mail-store.ts';

export const PHOTO_MAIL_JOB = 'photo-mail';

/** More would make the email long; the order's page has all. */
const MOST_SHOWN = 3;

/** One job per order at a time: photos that arrive while it waits are announced together. */
export const photoJob = (orderId: string, runAt: Date): Job => ({
  name: PHOTO_MAIL_JOB,
  payload: { orderId },
  key: orderId,
  runAt: runAt.toISOString(),
});

/** Queues one email about all unannounced photos of an order, and one to the recipient if it is a gift. */
export async function queuePhotoMail(sql: Sql, orderId: string): Promise<void> {
  await sql.transaction(async (tx) => {
    const photos = await unannouncedPhotos(tx, orderId);
    const [first] = photos;
    if (!first) return;
    const order = await requireOrder(tx, orderId);
    const place = order.place ?? order.planter?.region;
    const more = {
      photos: photos.length,
      filenames: photos.slice(0, MOST_SHOWN).map(({ filename }) => filename),
      ...(place !== undefined && { place }),
    };
    const mail = { eventId: first.eventId, kind: 'photos' } as const;
    const mailId = await queueMail(tx, { ...mail, to: order.to, facts: { ...order.facts, ...more } });
    const gift = await claimedGift(tx, orderId);
    if (gift) {
      const { trees } = order.facts;
      const facts = { orderId, trees, giftToken: gift.token, ...more };
      await queueMail(tx, { ...mail, to: gift.to, facts });
    }
    const ids = photos.map((photo) => photo.id);
    await markAnnounced(tx, ids, mailId);
  });
}
