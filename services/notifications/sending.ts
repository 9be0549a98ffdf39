import type { Logger } from '@arboleda/chassis/log.ts';
import { type Mailer, MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { isPointless, type QueuedMail } from './mail.ts';
import { dropMail, leaseMail, markSent, releaseMail } from './mail-store.ts';
import { writeMail } from './mails/index.ts';

/** Longer than a mail server may take to answer (chassis/adapters/smtp/smtp.ts). */
const LEASE_SECONDS = 60;

/** Sends one queued mail. Returns when nothing is left to do for it. @throws to be tried again. */
export type SendMail = (mailId: string) => Promise<void>;

export function openSending(parts: {
  sql: Sql;
  mailer: Mailer;
  siteUrl: string;
  logger: Logger;
  clock: () => Date;
}): SendMail {
  const { sql, mailer, siteUrl, logger, clock } = parts;
  const host = new URL(siteUrl).hostname;
  /** Confirmed by the server but not yet marked, because the database failed in between: never sent again from here. */
  const confirmed = new Set<string>();

  const hand = (mail: QueuedMail) =>
    mailer.send({
      to: mail.to,
      ...writeMail(mail, siteUrl),
      messageId: `${mail.id}@${host}`,
      correlationId: mail.correlationId,
    });
  const close = async (mailId: string) => {
    await markSent(sql, mailId);
    confirmed.delete(mailId);
  };

  return async (mailId) => {
    if (confirmed.has(mailId)) return close(mailId);
    const mail = await leaseMail(sql, mailId, LEASE_SECONDS);
    if (mail === 'done') return;
    if (mail === 'busy') throw new Error(`mail ${mailId} is in other hands`);
    if (isPointless(mail, clock())) {
      logger.warn({ mailId, kind: mail.kind }, 'mail was not sent: its time has passed');
      return dropMail(sql, mailId, 'pointless');
    }
    try {
      await hand(mail);
    } catch (error) {
      if (!(error instanceof MailRefused)) {
        await releaseMail(sql, mailId);
        throw error;
      }
      logger.error({ mailId, kind: mail.kind }, 'mail was refused for good');
      return dropMail(sql, mailId, 'refused');
    }
    confirmed.add(mailId);
    await close(mailId);
    logger.info({ mailId, kind: mail.kind }, 'mail was sent');
  };
}
