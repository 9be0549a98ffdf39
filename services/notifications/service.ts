import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { CATCH_UP_EVERY_MS, catchUp } from './catch-up.ts';
import type { NotificationsConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { SEND_MAIL } from './mail-store.ts';
import { TELL_OF_PHOTOS, tellOfPhotos } from './photo-news.ts';
import { openSending } from './sending.ts';

const SENDS_AT_ONCE = 4;

/** Tells people what happened: one mail for each event, recipient and kind. It has no calls of its own. */
export async function startNotifications(
  config: NotificationsConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const { siteUrl, photoMailDelaySeconds } = config;
  const service = await openService('notifications', config, overrides);
  const { platform, clock, logger } = service;
  const sql = await platform.sql('notifications', new URL('./migrations/', import.meta.url));

  const jobs = platform.jobs('notifications');
  service.onClose(() => jobs.close());
  const send = openSending({ sql, mailer: platform.mailer(), siteUrl, logger, clock });
  await jobs.handle(SEND_MAIL, (job) => send(String(job.mailId)), { concurrency: SENDS_AT_ONCE });
  await jobs.handle(TELL_OF_PHOTOS, (job) => tellOfPhotos(sql, String(job.orderId)));
  await jobs.every('catch-up', CATCH_UP_EVERY_MS, () => catchUp(sql, jobs, clock()));
  await service.subscribe(consumers({ sql, clock, photoMailDelaySeconds }));

  return service.listen({}, {});
}
