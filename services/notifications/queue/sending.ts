import type { Logger } from '@arboleda/chassis/log.ts';
import { type Mailer, MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { type MailKind, writeMail } from '../mails/index.ts';
import { isNews } from '../mails/kinds.ts';
import { unsubscribeUrl } from '../mails/links.ts';
import { markFailed, newsChoice } from './addresses.ts';
import { pointlessBecause, type QueuedMail } from './mail.ts';
import { giftBounced, giftSent } from './gift-mail.ts';
import { dropMail, leaseMail, markSent, markSentIn, releaseMail, renewLease } from './mail-store.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';

/** Short, because a crashed process blocks its email for this long; renewed while a server is slow. */
const LEASE_SECONDS = 10;
const RENEW_EVERY_MS = 3_000;
/**
 * PostgreSQL's delay of an asynchronous commit is at most a second by default; recovery may take longer.
 * https://www.postgresql.org/docs/current/wal-async-commit.html
 */
const ON_DISK_WITHIN_MS = 60_000;

/** Sends a queued email. Returns when nothing is left to do. @throws to be retried */
export type SendMail = (mailId: string) => Promise<void>;

export function openSending(parts: {
  sql: Sql;
  mailer: Mailer;
  siteUrl: string;
  /** @throws when the token was not sealed for this address */
  openToken: (sealed: string, address: string) => Promise<string>;
  logger: Logger;
  clock: () => Date;
}): SendMail {
  const { sql, mailer, siteUrl, openToken, logger, clock } = parts;
  const host = new URL(siteUrl).hostname;
  /**
   * Accepted by the server but possibly not marked, because the database failed; this process does not send
   * them again.
   */
  const confirmed = new Map<string, MailKind>();

  const hand = async (mail: QueuedMail, newsToken: string | undefined) =>
    mailer.send({
      to: mail.to,
      ...writeMail(await withOpenToken(mail), siteUrl, newsToken),
      messageId: `${mail.id}@${host}`,
      correlationId: mail.correlationId,
      ...(newsToken !== undefined && { unsubscribeUrl: unsubscribeUrl(siteUrl, newsToken) }),
    });
  async function withOpenToken(mail: QueuedMail): Promise<QueuedMail> {
    if (!('token' in mail.facts)) return mail;
    const token = await openToken(mail.facts.token, mail.to.address);
    return { ...mail, facts: { ...mail.facts, token } } as QueuedMail;
  }
  const close = async (mailId: string, kind: MailKind) => {
    if (kind === 'gift') {
      await sql.transaction(async (tx) => {
        await giftSent(tx, mailId, clock());
        await markSentIn(tx, mailId);
      });
    } else await markSent(sql, mailId);
    setTimeout(() => confirmed.delete(mailId), ON_DISK_WITHIN_MS).unref();
  };

  const renew = (mailId: string) =>
    renewLease(sql, mailId, LEASE_SECONDS).catch((error: unknown) =>
      logger.warn({ err: error, mailId }, 'a mail in hand may be taken by another'),
    );

  /** Sends a leased email. @returns why it was not sent, if it was not */
  async function tryToSend(mail: QueuedMail): Promise<string | undefined> {
    const pointless = pointlessBecause(mail, clock());
    if (pointless) return pointless;
    const choice = isNews(mail.kind) ? await newsChoice(sql, mail.to.address) : undefined;
    if (choice?.news === false) return 'unsubscribed';
    await hand(mail, choice?.newsToken);
    return undefined;
  }

  return async (mailId) => {
    const accepted = confirmed.get(mailId);
    if (accepted) return close(mailId, accepted);
    const mail = await leaseMail(sql, mailId, LEASE_SECONDS);
    if (mail === 'done') return;
    if (mail === 'busy') throw new Error(`mail ${mailId} is in other hands`);
    const { kind } = mail;
    const renewing = setInterval(() => void renew(mailId), RENEW_EVERY_MS);
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
      return await sql.transaction(async (tx) => {
        if (kind === 'gift') await giftBounced(tx, mailId, clock());
        await dropMail(tx, mailId, 'refused', error.answer);
      });
    } finally {
      clearInterval(renewing);
    }
    crashPoint('mail-handed-over');
    confirmed.set(mailId, kind);
    await close(mailId, kind);
    logger.info({ mailId, kind }, 'mail was sent');
  };
}
