import { openSmtpMailer } from '@arboleda/chassis/adapters/smtp/smtp.ts';
import { type Mail, type Mailer } from '@arboleda/chassis/ports/mailer.ts';
import { openTestInbox, type TestInbox } from '@arboleda/chassis/testing/inbox.ts';
import { startWaitingJobs } from '@arboleda/chassis/testing/periodic.ts';
import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ArboledaEvent, EventData } from '@arboleda/contracts/events/index.ts';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { GIFT_JOB } from '../queue/gift-mail.ts';
import { someOrder } from './builders.ts';
import { openHarness } from './harness.ts';

export type Scheduled = Parameters<ReturnType<typeof someOrder>['gift']>[0];

export const DAY_MS = 86_400_000;
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

let inbox: TestInbox;
export let service: Awaited<ReturnType<typeof openHarness>>;
/** Stands for the orders service. */
let orders: TestPlatform;
const received: ArboledaEvent[] = [];

beforeAll(async () => {
  inbox = await openTestInbox();
  service = await openHarness({ inbox, photoMailDelaySeconds: 3_600 });
  orders = await openTestPlatform({ databaseUrl: service.platform.databaseUrl });
  await orders.bus.subscribe('orders', {
    'gift.delivered': async (event) => void received.push(event),
    'gift.bounced': async (event) => void received.push(event),
  });
});
afterEach(() => service.stopAll());
afterAll(async () => {
  await orders.close();
  await service.close();
  await inbox.close();
});

export const reports = (orderId: string) =>
  received.filter((event) => event.key === orderId).map(({ type, data }) => ({ type, ...data }));
export const report = (orderId: string, count = 1) =>
  waitFor(() => {
    const those = reports(orderId);
    return those.length >= count && those;
  });
export const giftRow = async (orderId: string) =>
  (await service.query('select * from notifications.gifts where order_id = $1', [orderId]))[0];
export const revisionIs = (orderId: string, revision: number) =>
  waitFor(async () => (await giftRow(orderId))?.revision === revision);
export const runGiftJobs = () => startWaitingJobs(service.query, 'notifications', GIFT_JOB);
export const letters = async (address: string) =>
  (await service.mailsTo(address)).filter(({ subject }) => /^(A gift|Un regalo)/.test(subject));
export const subjectsTo = async (address: string) =>
  (await service.mailsTo(address)).map(({ subject }) => subject);

/** An order whose gift is scheduled, and known here. */
export async function given(more: Scheduled = {}) {
  const order = someOrder({ language: 'en' });
  const { orderId } = order.created;
  const scheduled = order.gift(more);
  const schedule = (changes: Partial<EventData<'gift.scheduled'>>) =>
    service.publish('gift.scheduled', { ...scheduled, ...changes });
  await service.publish('order.created', order.created);
  const event = await schedule({});
  await revisionIs(orderId, scheduled.revision);
  return { order, orderId, scheduled, schedule, event, to: scheduled.gift.recipientEmail! };
}

/** A given and claimed order, whose buyer was emailed about both. */
export async function claimed(more: Partial<EventData<'gift.claimed'>> = {}) {
  const gift = await given();
  await report(gift.orderId);
  const claim = gift.order.claim(more);
  await service.publish('gift.claimed', claim);
  await waitFor(async () => (await giftRow(gift.orderId)).account_id === claim.accountId);
  return { ...gift, claim };
}

/** A mailer that the test controls. */
export function controlled(send: (mail: Mail, real: Mailer) => Promise<void>): Mailer {
  const real = openSmtpMailer({ smtpUrl: inbox.smtpUrl, mailFrom: 'Arboleda <hola@arboleda.test>' });
  return { ...real, send: (mail) => send(mail, real) };
}
