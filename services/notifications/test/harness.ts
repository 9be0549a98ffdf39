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

/** Retries at once: what is tested is that they come, not how patient they are. */
const RETRIES = { maxAttempts: 20, delaysMs: [20], maxDelayMs: 100 };
/** A mail server may take its time to come back. */
const JOB_RETRIES = { ...RETRIES, maxAttempts: 1_000 };

const TEMPLATE = migratedTemplate('notifications', new URL('../migrations/', import.meta.url));

/** Notifications with a real mail server and a database of its own. */
export async function openHarness(
  own: {
    photoMailDelaySeconds?: number;
    bounceSecret?: string | undefined;
    /** Another's, which the caller closes. */
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

  /** The service as a process of its own would be; `mailer` takes the real one's place. */
  const start = async (mailer?: Mailer, clock?: () => Date) => {
    const platform = await openTestPlatform({ ...options, databaseUrl });
    const service = await startNotifications(
      {
        ...testServiceConfig({ databaseUrl, jwksUrl: identity.jwksUrl }),
        siteUrl: 'https://arboleda.test',
        orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
        mailTokenKey: TEST_MAIL_TOKENS.privateKey,
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

  /** Publishes an event as its service would. @returns its envelope */
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
  /** Mails to an address, as they are in its inbox. */
  const mailsTo = async (address: string) =>
    (await inbox.mails()).filter((mail) => mail.to[0]!.address === address);
  /** Waits until an address has so many mails, in the order they came. */
  const someMailsTo = (address: string, count = 1) =>
    waitFor(async () => {
      const mails = await mailsTo(address);
      return mails.length >= count && mails;
    }, 20_000);
  const query = async (text: string, values: unknown[] = []) => (await database.query(text, values)).rows;
  /** Nothing that was published is still on its way to somebody. */
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
    /** Publishes something to somebody else and waits for its mail, so that what came before was handled too. */
    async settle() {
      const marker = someOrder();
      await publish('order.created', marker.created);
      await someMailsTo(marker.email);
      await allSent();
    },
    /** Of the test itself: publishes and adds jobs, handles none. */
    platform: home,
    republish: (...events: Parameters<typeof home.bus.publish>[0]) => home.bus.publish(events),
    deadLetters: () => home.bus.deadLetters('notifications'),
    /** Ends the services that run. */
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
