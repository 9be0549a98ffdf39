import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { giftJob } from './gift-mail.ts';
import { photoJob } from './photo-mail.ts';
import { dueGifts } from '../copies/gifts.ts';
import { ordersWithOverduePhotos } from '../copies/photos.ts';

export const CATCH_UP_EVERY_MS = 3_600_000;

/** Enqueues gifts and emails about photos again whose job gave up or was lost. */
export async function catchUp(sql: Sql, jobs: Pick<Jobs, 'enqueue'>, now: Date): Promise<void> {
  const overdue = new Date(now.getTime() - CATCH_UP_EVERY_MS);
  const orders = await ordersWithOverduePhotos(sql, overdue);
  const gifts = await dueGifts(sql, now);
  await jobs.enqueue([
    ...orders.map((orderId) => photoJob(orderId, now)),
    ...gifts.map((gift) => giftJob(gift, now)),
  ]);
}
