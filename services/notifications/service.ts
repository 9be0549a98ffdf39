import { auditLogOf } from '@arboleda/chassis/audit/read.ts';
import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { daysBefore, keepRetention } from '@arboleda/chassis/retention.ts';
import { giftTokens, orderTokens } from '@arboleda/chassis/order-token.ts';
import { keyedDigest } from '@arboleda/chassis/keyed-digest.ts';
import { unseal } from '@arboleda/chassis/sealed.ts';
import { notificationsAuditEndpoints } from '@arboleda/contracts/endpoints/audit-log.ts';
import { notificationsEndpoints } from '@arboleda/contracts/endpoints/notifications.ts';
import type { NotificationsConfig } from './config.ts';
import { consumers } from './consumers/index.ts';
import { readHashKey } from './copies/gifts.ts';
import { eraseOldMails } from './copies/erasure.ts';
import { CATCH_UP_EVERY_MS, catchUp } from './queue/catch-up.ts';
import { showMails } from './metrics.ts';
import { deliverGift, GIFT_JOB } from './queue/gift-mail.ts';
import { PHOTO_MAIL_JOB, queuePhotoMail } from './queue/photo-mail.ts';
import { startSending } from './queue/sending.ts';
import { routes } from './routes.ts';

/** Release 1.0.0 queued a job for each email, and its last processes may still do. */
const FORMER_SEND_JOB = 'send-mail';

/** Sends one email per event, recipient and kind, and shows their state to admins. */
export async function startNotifications(
  config: NotificationsConfig,
  overrides: Overrides = {},
): Promise<RunningService> {
  const { siteUrl, receiptMailDelaySeconds, photoMailDelaySeconds, mailTokenKey } = config;
  const service = await openService('notifications', config, overrides);
  const { platform, clock, logger } = service;
  const sql = await platform.sql('notifications', new URL('./migrations/', import.meta.url));

  const jobs = platform.jobs('notifications');
  service.onClose(() => jobs.close());
  const openToken = (sealed: string, address: string) => unseal(sealed, address, mailTokenKey);
  const sending = startSending({ sql, mailer: platform.mailer(), siteUrl, openToken, logger, clock });
  service.onClose(() => sending.close());
  await jobs.handle(FORMER_SEND_JOB, async () => sending.wake());
  await jobs.handle(PHOTO_MAIL_JOB, (job) => queuePhotoMail(sql, String(job.orderId)));
  const digest = keyedDigest(await readHashKey(sql), 'addresses of gifts');
  const addressHash = (address: string) => digest(address.toLowerCase());
  await jobs.handle(GIFT_JOB, (job) => deliverGift(sql, String(job.orderId), { now: clock(), addressHash }));
  await jobs.every('catch-up', CATCH_UP_EVERY_MS, () => catchUp(sql, jobs, clock()));
  await keepRetention({
    jobs,
    logger,
    metrics: service.metrics,
    clearings: {
      mails: (limit) => eraseOldMails(sql, daysBefore(clock(), config.mailRetentionDays), limit),
    },
  });
  showMails(service.metrics, sql, clock);
  await service.subscribe(
    consumers({
      sql,
      clock,
      receiptMailDelaySeconds,
      photoMailDelaySeconds,
      addressHash,
      officeEmail: config.officeEmail,
      orderToken: orderTokens(config.orderTokenSecret),
      giftToken: giftTokens(config.orderTokenSecret),
    }),
  );

  return service.listen(
    { ...notificationsEndpoints, ...notificationsAuditEndpoints },
    {
      ...routes(sql, config.siteUrl, config.bounceSecret, clock),
      'GET /internal/notifications/audit-log': ({ query }) => auditLogOf(sql, 'notifications')(query),
    },
  );
}
