import { openTestInbox, type TestInbox } from '@arboleda/chassis/testing/inbox.ts';
import type { Mailer } from '@arboleda/chassis/ports/mailer.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import {
  TEST_MAIL_TOKENS,
  TEST_ORDER_TOKEN_SECRET,
  testServiceConfig,
} from '@arboleda/chassis/testing/config.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import type { EventData, EventType, NewEvent } from '@arboleda/contracts/events/index.ts';
import { keyOf } from '@arboleda/contracts/events/index.ts';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { startNotifications } from '../service.ts';
import { someOrder } from './builders.ts';

export const BOUNCE_SECRET = 'a secret of the webhook of the mail provider';

export const OFFICE_EMAIL = 'oficina@arboleda.test';

/** Retries at once: tests check that retries happen, not their delays. */
const RETRIES = { maxAttempts: 20, delaysMs: [20], maxDelayMs: 100 };
/** A mail server may take long to restart. */
const JOB_RETRIES = { ...RETRIES, maxAttempts: 1_000 };

const TEMPLATE = migratedTemplate('notifications', new URL('../migrations/', import.meta.url));

/** Notifications with a real mail server and its own database. */
export async function openHarness(
  own: {
    receiptMailDelaySeconds?: number;
    photoMailDelaySeconds?: number;
    bounceSecret?: string | undefined;
    /** A shared inbox, which the caller closes. */
    inbox?: TestInbox;
  } = {},
) {
  const inbox = own.inbox ?? (await openTestInbox());
  const identity = await startTestIdentity();
  const options = { smtpUrl: inbox.smtpUrl, eventRetries: RETRIES, jobRetries: JOB_RETRIES };
  const home = await openTestPlatform({ ...options, template: TEMPLATE });
  const { databaseUrl } = home;
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const running = new Set<() => Promise<void>>();

  /** Starts the service with the real mailer, or a replacement. */
  const start = async (mailer?: Mailer, clock?: () => Date) => {
    const platform = await openTestPlatform({ ...options, databaseUrl });
    const service = await startNotifications(
      {
        ...testServiceConfig({ databaseUrl, jwksUrl: identity.jwksUrl }),
        siteUrl: 'https://arboleda.test',
        officeEmail: OFFICE_EMAIL,
        orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
        mailTokenKey: TEST_MAIL_TOKENS.privateKey,
        receiptMailDelaySeconds: own.receiptMailDelaySeconds ?? 0,
        photoMailDelaySeconds: own.photoMailDelaySeconds ?? 0.3,
        bounceSecret: 'bounceSecret' in own ? own.bounceSecret : BOUNCE_SECRET,
        mailRetentionDays: 730,
      },
      { platform: mailer ? { ...platform, mailer: () => mailer } : platform, ...(clock && { clock }) },
    );
    const stop = async () => {
      running.delete(stop);
      await service.close();
      await platform.close();
    };
    running.add(stop);
    return { url: service.url, stop };
  };

  /** Publishes an event of another service. @returns its envelope */
  const publish = async <Type extends EventType>(type: Type, data: EventData<Type>, sequence = 0) => {
    const event = { type, data } as NewEvent;
    const envelope = {
      id: randomUUID(),
      version: 1,
      occurredAt: new Date().toISOString(),
      key: keyOf(event),
      sequence,
      correlationId: `test-${type}`,
      ...event,
    } as Parameters<typeof home.bus.publish>[0][number];
    await home.bus.publish([envelope]);
    return envelope;
  };
  /** Emails in the inbox of an address. */
  const mailsTo = async (address: string) =>
    (await inbox.mails()).filter((mail) => mail.to[0]!.address === address);
  /** Waits until an address has so many emails, in order of arrival. */
  const someMailsTo = (address: string, count = 1) =>
    waitFor(async () => {
      const mails = await mailsTo(address);
      return mails.length >= count && mails;
    }, 20_000);
  const query = async (text: string, values: unknown[] = []) => (await database.query(text, values)).rows;
  /** Waits until no published event is unhandled and no email is unsent. */
  const allSent = () =>
    waitFor(
      async () =>
        (await query(`select from notifications.mails where state = 'waiting'`)).length === 0 &&
        (await home.bus.waiting('notifications')) === 0,
      20_000,
    );

  return {
    inbox,
    identity,
    start,
    publish,
    mailsTo,
    someMailsTo,
    query,
    allSent,
    /** Publishes an event for another person and waits for its email, so that all earlier events are handled. */
    async settle() {
      const marker = someOrder();
      await publish('order.created', marker.created);
      await someMailsTo(marker.email);
      await allSent();
    },
    /** The test's own platform: publishes and enqueues, handles nothing. */
    platform: home,
    republish: (...events: Parameters<typeof home.bus.publish>[0]) => home.bus.publish(events),
    deadLetters: () => home.bus.deadLetters('notifications'),
    async stopAll() {
      for (const stop of running) await stop();
    },
    async close() {
      for (const stop of running) await stop();
      await database.end();
      await home.close();
      if (!own.inbox) await inbox.close();
      await identity.close();
    },
  };
}
