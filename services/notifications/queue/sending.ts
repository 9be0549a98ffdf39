import type { Logger } from '@arboleda/chassis/log.ts';
import { type Mailer, MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { writeMail } from '../mails/index.ts';
import { isNews } from '../mails/kinds.ts';
import { unsubscribeUrl } from '../mails/links.ts';
import { markFailed, newsChoice } from './addresses.ts';
import { pointlessBecause, type QueuedMail } from './mail.ts';
import { dropMail, leaseMail, markSent, releaseMail } from './mail-store.ts';

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

  const hand = (mail: QueuedMail, newsToken: string | undefined) =>
    mailer.send({
      to: mail.to,
      ...writeMail(mail, siteUrl, newsToken),
      messageId: `${mail.id}@${host}`,
      correlationId: mail.correlationId,
      ...(newsToken !== undefined && { unsubscribeUrl: unsubscribeUrl(siteUrl, newsToken) }),
    });
  const close = async (mailId: string) => {
    await markSent(sql, mailId);
    confirmed.delete(mailId);
  };

  /** Hands a leased mail over. @returns why it is not sent, if it is not. */
  async function tryToSend(mail: QueuedMail): Promise<string | undefined> {
    const pointless = pointlessBecause(mail, clock());
    if (pointless) return pointless;
    const choice = isNews(mail.kind) ? await newsChoice(sql, mail.to.address) : undefined;
    if (choice?.news === false) return 'unsubscribed';
    await hand(mail, choice?.newsToken);
    return undefined;
  }

  return async (mailId) => {
    if (confirmed.has(mailId)) return close(mailId);
    const mail = await leaseMail(sql, mailId, LEASE_SECONDS);
    if (mail === 'done') return;
    if (mail === 'busy') throw new Error(`mail ${mailId} is in other hands`);
    const { kind } = mail;
    try {
      const pointless = await tryToSend(mail);
      if (pointless) {
        logger.info({ mailId, kind, pointless }, 'mail was not sent');
        return await dropMail(sql, mailId, 'pointless', pointless);
      }
    } catch (error) {
      if (!(error instanceof MailRefused)) {
        await releaseMail(sql, mailId, String((error as Error).message ?? error));
        throw error;
      }
      logger.error({ mailId, kind }, 'mail was refused for good');
      await markFailed(sql, mail.to.address);
      return dropMail(sql, mailId, 'refused', error.answer);
    }
    confirmed.add(mailId);
    await close(mailId);
    logger.info({ mailId, kind }, 'mail was sent');
  };
}
