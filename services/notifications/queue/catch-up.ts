import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { giftJob } from './gift-mail.ts';
import { overdueMails, sendJob } from './mail-store.ts';
import { photoJob } from './photo-mail.ts';
import { dueGifts } from '../copies/gifts.ts';
import { ordersWithOverduePhotos } from '../copies/photos.ts';

export const CATCH_UP_EVERY_MS = 3_600_000;

/** Enqueues emails and gifts again whose job gave up or was lost: a mail server may be down for days. */
export async function catchUp(sql: Sql, jobs: Pick<Jobs, 'enqueue'>, now: Date): Promise<void> {
  const overdue = new Date(now.getTime() - CATCH_UP_EVERY_MS);
  const mails = await overdueMails(sql, overdue);
  const orders = await ordersWithOverduePhotos(sql, overdue);
  const gifts = await dueGifts(sql, now);
  await jobs.enqueue([
    ...mails.map((id) => sendJob(id)),
    ...orders.map((orderId) => photoJob(orderId, now)),
    ...gifts.map((gift) => giftJob(gift, now)),
  ]);
}
