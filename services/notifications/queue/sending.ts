import { withContext } from '@arboleda/chassis/context.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { type Mailer, MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { repeat } from '@arboleda/chassis/repeat.ts';
import { JOB_RETRIES, retryDelayMs } from '@arboleda/chassis/retry.ts';
import { SPANS } from '@arboleda/chassis/telemetry/names.ts';
import { traced } from '@arboleda/chassis/telemetry/trace.ts';
import { type MailKind, writeMail } from '../mails/index.ts';
import { isNews } from '../mails/kinds.ts';
import { unsubscribeUrl } from '../mails/links.ts';
import { markFailed, newsChoice } from './addresses.ts';
import { pointlessBecause, type QueuedMail } from './mail.ts';
import { giftBounced, giftSent } from './gift-mail.ts';
import {
  dropMail,
  type LeasedMail,
  MAIL_DUE,
  markSent,
  markSentIn,
  releaseMail,
  renewLease,
  takeDueMails,
} from './mail-store.ts';
import { crashPoint } from '@arboleda/chassis/crash-point.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Short, because a crashed process blocks its email for this long; renewed while a server is slow. */
const LEASE_SECONDS = 10;
const RENEW_EVERY_MS = 3_000;
/**
 * PostgreSQL's delay of an asynchronous commit is at most a second by default; recovery may take longer.
 * https://www.postgresql.org/docs/current/wal-async-commit.html
 */
const ON_DISK_WITHIN_MS = 60_000;

/** Emails that this process sends at a time. */
const AT_ONCE = 4;
/** Finds delayed emails, and those that other processes queued or left. */
const LOOK_EVERY_MS = 2_000;
const STOP_WITHIN_MS = 8_000;
/** After the delays of jobs: a mail server may be down for days. */
const LAST_RETRIES_MS = 3_600_000;

export interface Sending {
  /** Says that an email may be due. */
  wake(): void;
  /** Stops taking emails, and waits until those that are being sent have ended. */
  close(): Promise<void>;
}

/** Sends emails from their table, each by one process at a time, until their server accepts or refuses them. */
export function startSending(parts: {
  sql: Sql;
  mailer: Mailer;
  siteUrl: string;
  /** @throws when the token was not sealed for this address */
  openToken: (sealed: string, address: string) => Promise<string>;
  logger: Logger;
  clock: () => Date;
}): Sending {
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

  /** @throws to be tried again */
  async function send(mail: LeasedMail): Promise<void> {
    const { id: mailId, kind } = mail;
    const accepted = confirmed.get(mailId);
    if (accepted) return close(mailId, accepted);
    const renewing = setInterval(() => void renew(mailId), RENEW_EVERY_MS);
    try {
      const pointless = await tryToSend(mail);
      if (pointless) {
        logger.info({ mailId, kind, pointless }, 'mail was not sent');
        return await dropMail(sql, mailId, 'pointless', pointless);
      }
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
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
    crashPoint('job-done');
    logger.info({ mailId, kind }, 'mail was sent');
  }

  async function retry({ id: mailId, tries }: LeasedMail, error: unknown): Promise<void> {
    const delayMs = retryDelayMs(JOB_RETRIES, tries) ?? LAST_RETRIES_MS;
    logger.warn({ err: error, mailId, tries, delayMs }, 'an email will be tried again');
    // Without a database it is tried when its lease has ended.
    await releaseMail(
      sql,
      mailId,
      String((error as Error).message ?? error),
      new Date(clock().getTime() + delayMs),
    );
    setTimeout(wake, delayMs).unref();
  }

  const inHand = new Map<string, Promise<void>>();
  let isWoken = false;
  let isClosing = false;
  let hasMore = false;
  let taking: Promise<void> | undefined;

  function begin(mail: LeasedMail): void {
    const run = () =>
      traced({ name: SPANS.runJob('send-mail'), kind: 'consumer', service: 'notifications' }, () =>
        send(mail),
      );
    const done = withContext(mail.context, () =>
      run()
        .catch((error: unknown) => retry(mail, error))
        .catch((error: unknown) =>
          logger.warn({ err: error, mailId: mail.id }, 'an email waits for the end of its lease'),
        ),
    ).finally(() => {
      inHand.delete(mail.id);
      // Several are taken by one statement.
      if (hasMore && inHand.size <= AT_ONCE / 2) wake();
    });
    inHand.set(mail.id, done);
  }

  async function takeDue(): Promise<void> {
    const room = AT_ONCE - inHand.size;
    if (isClosing || room === 0) return void (hasMore = true);
    const mails = await takeDueMails(sql, { now: clock(), most: room, leaseSeconds: LEASE_SECONDS });
    hasMore = mails.length === room;
    // One whose lease ended while the database did not answer may still be on its way from here.
    mails.filter(({ id }) => !inHand.has(id)).forEach(begin);
  }

  /** Looks once for all who wake it meanwhile. */
  async function take(): Promise<void> {
    while (isWoken) {
      isWoken = false;
      await takeDue();
    }
  }
  const look = (): Promise<void> => (taking ??= take().finally(() => (taking = undefined)));
  function wake(): void {
    isWoken = true;
    look().catch((error: unknown) => logger.warn({ err: error }, 'no email can be taken'));
  }
  sql.onSignal(MAIL_DUE, wake);
  const looking = repeat(
    LOOK_EVERY_MS,
    () => {
      isWoken = true;
      return look();
    },
    logger,
    'looking for emails that are due',
  );

  return {
    wake,
    async close() {
      isClosing = true;
      await looking.stop();
      await taking?.catch(() => undefined);
      // The lease of one whose server does not answer ends by itself.
      const stop = new AbortController();
      await Promise.race([
        Promise.all(inHand.values()),
        sleep(STOP_WITHIN_MS, undefined, { signal: stop.signal }).catch(() => undefined),
      ]);
      stop.abort();
    },
  };
}
