import { openSmtpMailer } from '@arboleda/chassis/adapters/smtp/smtp.ts';
import { type Mail, type Mailer, MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import { gate } from '@arboleda/chassis/testing/gate.ts';
import { openTestInbox, type TestInbox } from '@arboleda/chassis/testing/inbox.ts';
import { startWaitingJobs } from '@arboleda/chassis/testing/periodic.ts';
import { openTestPlatform, type TestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { ArboledaEvent, EventData } from '@arboleda/contracts/events/index.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { GIFT_JOB } from '../queue/gift-mail.ts';
import { PHOTO_MAIL_JOB } from '../queue/photo-mail.ts';
import { AT, newEmail, someOrder } from './builders.ts';
import { BOUNCE_SECRET, openHarness } from './harness.ts';

jest.setTimeout(60_000);

type Scheduled = Parameters<ReturnType<typeof someOrder>['gift']>[0];

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

let inbox: TestInbox;
let service: Awaited<ReturnType<typeof openHarness>>;
/** Stands for the orders service. */
let orders: TestPlatform;
const heard: ArboledaEvent[] = [];

beforeAll(async () => {
  inbox = await openTestInbox();
  service = await openHarness({ inbox, photoMailDelaySeconds: 3_600 });
  orders = await openTestPlatform({ databaseUrl: service.platform.databaseUrl });
  await orders.bus.subscribe('orders', {
    'gift.delivered': async (event) => void heard.push(event),
    'gift.bounced': async (event) => void heard.push(event),
  });
});
afterEach(() => service.stopAll());
afterAll(async () => {
  await orders.close();
  await service.close();
  await inbox.close();
});

const reports = (orderId: string) =>
  heard.filter((event) => event.key === orderId).map(({ type, data }) => ({ type, ...data }));
const report = (orderId: string, count = 1) =>
  waitFor(() => {
    const those = reports(orderId);
    return those.length >= count && those;
  });
const giftRow = async (orderId: string) =>
  (await service.query('select * from notifications.gifts where order_id = $1', [orderId]))[0];
const revisionIs = (orderId: string, revision: number) =>
  waitFor(async () => (await giftRow(orderId))?.revision === revision);
const runGiftJobs = () => startWaitingJobs(service.query, 'notifications', GIFT_JOB);
const letters = async (address: string) =>
  (await service.mailsTo(address)).filter(({ subject }) => /^(A gift|Un regalo)/.test(subject));
const subjectsTo = async (address: string) => (await service.mailsTo(address)).map(({ subject }) => subject);

/** An order whose gift is scheduled, and known here. */
async function given(more: Scheduled = {}) {
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

/** A given and claimed order, whose buyer has heard of both. */
async function claimed(more: Partial<EventData<'gift.claimed'>> = {}) {
  const gift = await given();
  await report(gift.orderId);
  const claim = gift.order.claim(more);
  await service.publish('gift.claimed', claim);
  await waitFor(async () => (await giftRow(gift.orderId)).account_id === claim.accountId);
  return { ...gift, claim };
}

/** A mailer that the test controls. */
function controlled(send: (mail: Mail, real: Mailer) => Promise<void>): Mailer {
  const real = openSmtpMailer({ smtpUrl: inbox.smtpUrl, mailFrom: 'Arboleda <hola@arboleda.test>' });
  return { ...real, send: (mail) => send(mail, real) };
}

describe('a gift', () => {
  test('arrives in its buyer’s name, with card, message and a link, and is reported', async () => {
    await service.start();
    const { order, orderId, scheduled, to } = await given({ language: 'en' });
    expect(await report(orderId)).toEqual([
      { type: 'gift.delivered', orderId, revision: 1, at: expect.any(String) },
    ]);
    const [mail] = await service.someMailsTo(to);
    expect(mail!.from).toEqual([{ name: 'Lucía Peña via Arboleda', address: 'hola@arboleda.test' }]);
    expect(mail!.headers).not.toHaveProperty('reply-to');
    expect(mail!.to).toEqual([{ name: 'Mateo Ríos', address: to }]);
    expect(mail!.text).toContain('«Que crezcan tan altos como tú.»');
    expect(mail!.text).toContain(`https://arboleda.test/g/${scheduled.token}\n`);
    expect(mail!.headers['list-unsubscribe']).toBe(`<https://arboleda.test/g/${scheduled.token}/stop>`);
    expect(mail!.headers).not.toHaveProperty('list-unsubscribe-post');
    expect(mail!.text + mail!.html).not.toMatch(/COP|82,300|\/orders\//);
    expect(mail!.text + mail!.html).not.toContain(order.email);
    expect(await service.someMailsTo(order.email, 2)).toContainEqual(
      expect.objectContaining({ subject: expect.stringMatching(/^Your gift was delivered/) }),
    );
  });

  test('a year ahead waits for its day, over restarts, and goes then once', async () => {
    const first = await service.start();
    const { orderId, to } = await given({ deliverAt: inDays(365) });
    await runGiftJobs();
    await first.stop();
    const second = await service.start(undefined, () => new Date(Date.now() + 364.9 * DAY_MS));
    await runGiftJobs();
    await service.settle();
    expect(await letters(to)).toEqual([]);
    await second.stop();
    await service.start(undefined, () => new Date(Date.now() + 365.1 * DAY_MS));
    await runGiftJobs();
    await report(orderId);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('whose job was lost is found again', async () => {
    const first = await service.start();
    const { orderId, to } = await given({ deliverAt: inDays(1) });
    await first.stop();
    await service.query(
      `select graphile_worker.complete_jobs(array(
         select id from graphile_worker.jobs where key = 'job:notifications:deliver-gift:' || $1))`,
      [`${orderId}:1`],
    );
    await service.query(`update notifications.gifts set deliver_at = now() where order_id = $1`, [orderId]);
    // It looks after a start.
    await service.query(
      `select from graphile_worker.reschedule_jobs(
         array(select id from graphile_worker.jobs where key = 'job:notifications:every:catch-up'), now())`,
    );
    await service.start();
    await report(orderId);
    expect(await letters(to)).toHaveLength(1);
  });

  test('is sent once, however often its event is delivered', async () => {
    await service.start();
    const { orderId, event, to } = await given();
    await report(orderId);
    for (let time = 0; time < 3; time++) await service.republish(event);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('is sent as it was changed last, also when changes arrive out of order', async () => {
    await service.start();
    const { orderId, scheduled, schedule, to } = await given({ deliverAt: inDays(5) });
    const says = (message: string) => ({ gift: { ...scheduled.gift, message } });
    await schedule({ revision: 3, deliverAt: inDays(-1), ...says('The third') });
    await revisionIs(orderId, 3);
    await schedule({ revision: 2, deliverAt: inDays(-1), ...says('The second') });
    expect(await report(orderId)).toMatchObject([{ revision: 3 }]);
    await service.settle();
    const [mail, ...more] = await letters(to);
    expect(more).toEqual([]);
    expect(mail!.text).toContain('«The third»');
  });

  test('moved to a later day does not go on the former one', async () => {
    await service.start();
    const { orderId, schedule, to } = await given({ deliverAt: inDays(1) });
    await schedule({ revision: 2, deliverAt: inDays(9) });
    await revisionIs(orderId, 2);
    await runGiftJobs();
    await service.settle();
    expect(await letters(to)).toEqual([]);
    expect(reports(orderId)).toEqual([]);
  });

  test('whose day changes while it is being sent is not sent again', async () => {
    const [begun, answered] = [gate(), gate()];
    await service.start(
      controlled(async (mail, real) => {
        if (mail.fromName) {
          begun.open();
          await answered.opened;
        }
        await real.send(mail);
      }),
    );
    const { orderId, schedule, to } = await given();
    await begun.opened;
    await schedule({ revision: 2, deliverAt: inDays(7) });
    await revisionIs(orderId, 2);
    answered.open();
    expect(await report(orderId)).toMatchObject([{ revision: 2 }]);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect((await giftRow(orderId)).state).toBe('delivered');
  });

  test('whose day changes just after it was delivered is not sent again', async () => {
    await service.start();
    const { orderId, schedule, to } = await given();
    await report(orderId);
    await schedule({ revision: 2, deliverAt: inDays(-1) });
    await revisionIs(orderId, 2);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('goes once more when its buyer asks for that', async () => {
    await service.start();
    const { orderId, schedule, to } = await given();
    await report(orderId);
    await schedule({ revision: 2, again: true });
    expect(await report(orderId, 2)).toMatchObject([{ revision: 1 }, { revision: 2 }]);
    await service.settle();
    expect(await letters(to)).toHaveLength(2);
  });

  test('goes once although the confirmation of the mail server is lost and its database fails', async () => {
    const seen: Mail[] = [];
    await service.start(
      controlled(async (mail, real) => {
        await real.send(mail);
        if (!mail.fromName) return;
        seen.push(mail);
        if (seen.length > 1) return;
        await service.query(
          `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`,
        );
        await service.query(
          `create trigger refuse before update of sent_at on notifications.mails for each row execute function refuse()`,
        );
      }),
    );
    const { orderId, to } = await given();
    await waitFor(() => seen.length === 1);
    await waitFor(async () => (await letters(to)).length === 1);
    expect(reports(orderId)).toEqual([]);
    await service.query('drop trigger refuse on notifications.mails');
    await service.query('drop function refuse');
    await report(orderId);
    await service.settle();
    expect(await letters(to)).toHaveLength(1);
    expect(reports(orderId)).toHaveLength(1);
  });

  test('to hand over is reported on its day, without an email', async () => {
    await service.start();
    const { order, orderId } = await given({ recipientEmail: null });
    expect(await report(orderId)).toMatchObject([{ type: 'gift.delivered', revision: 1 }]);
    await service.settle();
    expect(await subjectsTo(order.email)).toEqual([expect.stringMatching(/^Receipt/)]);
  });

  test('cancelled before its day does not go, and leaves nothing of its recipient', async () => {
    await service.start();
    const { orderId, to } = await given({ deliverAt: inDays(1) });
    await service.publish('gift.cancelled', { orderId, revision: 2, at: AT });
    await revisionIs(orderId, 2);
    await service.query(`update notifications.gifts set deliver_at = now() where order_id = $1`, [orderId]);
    await runGiftJobs();
    await service.settle();
    expect(await letters(to)).toEqual([]);
    expect(await giftRow(orderId)).toMatchObject({
      recipient_name: null,
      recipient_email: null,
      message: null,
    });
  });

  test('scheduled before its cancellation and heard of after it does not go', async () => {
    await service.start();
    const order = someOrder();
    const { orderId } = order.created;
    const scheduled = order.gift();
    await service.publish('order.created', order.created);
    await service.publish('gift.cancelled', { orderId, revision: 2, at: AT });
    await revisionIs(orderId, 2);
    await service.publish('gift.scheduled', scheduled);
    await service.settle();
    expect(await letters(scheduled.gift.recipientEmail!)).toEqual([]);
  });
});

describe('an address', () => {
  test('that its mail server refuses is reported to the buyer; corrected, it gets the gift at a new link', async () => {
    const wrong = newEmail();
    await service.start(
      controlled(async (mail, real) => {
        if (mail.to.address === wrong) throw new MailRefused(mail.messageId, '550 no such user');
        await real.send(mail);
      }),
    );
    const { order, orderId, scheduled, schedule } = await given({ recipientEmail: wrong });
    expect(await report(orderId)).toMatchObject([{ type: 'gift.bounced', reason: 'bounced', revision: 1 }]);
    const told = await service.inbox.next(
      ({ to, subject }) => to[0]!.address === order.email && subject.startsWith('Your gift did not arrive'),
    );
    expect(told.text).toContain(`Address: ${wrong}`);
    const right = newEmail();
    await schedule({
      revision: 2,
      token: 'N'.repeat(22),
      gift: { ...scheduled.gift, recipientEmail: right },
    });
    expect(await report(orderId, 2)).toMatchObject([{}, { type: 'gift.delivered', revision: 2 }]);
    const [mail] = await service.someMailsTo(right);
    expect(mail!.text).toContain(`/g/${'N'.repeat(22)}`);
  });

  test('that bounces later is reported once, and a late bounce of a former address is not', async () => {
    const { url } = await service.start();
    const bounce = async (messageId: string) => {
      const body = { messageId, reason: 'mailbox unknown', permanent: true };
      const headers = { Authorization: `Bearer ${BOUNCE_SECRET}` };
      expect((await request(url, 'POST /api/mail/bounces', { body, headers })).status).toBe(204);
    };
    const { orderId, scheduled, schedule, to } = await given();
    await report(orderId);
    const [mail] = await service.someMailsTo(to);
    for (let time = 0; time < 2; time++) await bounce(mail!.headers['message-id']!);
    expect(await report(orderId, 2)).toMatchObject([{}, { type: 'gift.bounced', reason: 'bounced' }]);
    await schedule({ revision: 2, gift: { ...scheduled.gift, recipientEmail: newEmail() } });
    expect(await report(orderId, 3)).toMatchObject([{}, {}, { type: 'gift.delivered', revision: 2 }]);
    await bounce(mail!.headers['message-id']!);
    await service.settle();
    expect(reports(orderId)).toHaveLength(3);
    expect((await giftRow(orderId)).state).toBe('delivered');
  });

  test('corrected before the day gets the gift, the former one nothing', async () => {
    await service.start();
    const { orderId, scheduled, schedule, to } = await given({ deliverAt: inDays(3) });
    const right = newEmail();
    await schedule({
      revision: 2,
      deliverAt: inDays(-1),
      gift: { ...scheduled.gift, recipientEmail: right },
    });
    await report(orderId);
    await service.settle();
    expect(await letters(to)).toEqual([]);
    expect(await letters(right)).toHaveLength(1);
  });

  test('that wants no gifts gets none of any buyer, waiting or new; the buyers are told', async () => {
    await service.start();
    const first = await given();
    await report(first.orderId);
    const waiting = await given({ recipientEmail: first.to, deliverAt: inDays(4) });
    await service.publish('gift.declined', { orderId: first.orderId, at: AT });
    expect(await report(waiting.orderId)).toMatchObject([{ type: 'gift.bounced', reason: 'refused' }]);
    const later = await given({ recipientEmail: first.to });
    expect(await report(later.orderId)).toMatchObject([{ type: 'gift.bounced', reason: 'refused' }]);
    await service.settle();
    expect(await letters(first.to)).toHaveLength(1);
    for (const { order } of [waiting, later])
      expect(await subjectsTo(order.email)).toContainEqual(
        expect.stringMatching(/^Your gift cannot go by email/),
      );
    expect(reports(first.orderId)).toHaveLength(1);
  });

  test('that wants no gifts is kept as a hash only, which outlasts its erasure', async () => {
    await service.start();
    const first = await given();
    await report(first.orderId);
    await service.publish('gift.declined', { orderId: first.orderId, at: AT });
    await waitFor(async () => (await giftRow(first.orderId)).declined_at !== null);
    await service.publish('customer.erased', {
      accountId: randomUUID(),
      email: first.to.toUpperCase(),
      ordersToo: true,
      at: new Date().toISOString(),
    });
    await waitFor(async () => (await giftRow(first.orderId)).recipient_email === null);
    expect(JSON.stringify(await service.query('select * from notifications.gift_addresses'))).not.toContain(
      first.to,
    );
    const later = await given({ recipientEmail: first.to, at: inDays(1) });
    expect(await report(later.orderId)).toMatchObject([{ reason: 'refused' }]);
    await service.settle();
    expect(await letters(first.to)).toHaveLength(1);
  });
});

describe('whoever has a gift in an account', () => {
  test('is emailed about their trees in their language, at their own page, and so is the donor', async () => {
    await service.start();
    const { order, orderId, scheduled, claim } = await claimed({ language: 'es' });
    await service.publish('order.planted', { ...order.step(), location: 'Cocora' });
    await service.publish('photo.uploaded', order.photo());
    await service.publish('order.completed', order.step());
    const visit = { visitId: 'v', orderId, purchaseId: 'b', number: 1, of: 3, worker: order.step().worker };
    await service.publish('growth_visit.completed', { ...visit, photos: 4, at: AT });
    await startWaitingJobs(service.query, 'notifications', PHOTO_MAIL_JOB);
    const mails = await service.someMailsTo(claim.email, 4);
    await service.settle();
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      '1 foto nueva de tus árboles',
      'Así crecen tus 5 árboles: visita 1 de 3',
      'La siembra de tus 5 árboles está completa',
      'Tus 5 árboles ya están sembrados',
    ]);
    for (const { text, html } of mails) {
      expect(text).toContain(`https://arboleda.test/g/${scheduled.token}`);
      expect(text + html).not.toMatch(/COP|\/orders\//);
      expect(text + html).not.toContain(order.email);
    }
    expect(await subjectsTo(order.email)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/is in an account|found its place/),
        'Your 5 trees are in the ground',
        '1 new photo of your trees',
      ]),
    );
  });

  test('is emailed at their new address, after a change of it', async () => {
    await service.start();
    const { order, orderId, claim } = await claimed();
    const to = newEmail();
    await service.publish('email.changed', {
      accountId: claim.accountId,
      role: 'customer',
      name: claim.name,
      from: claim.email,
      to,
      language: 'en',
      at: AT,
      fromVerified: true,
    });
    await waitFor(async () => (await giftRow(orderId)).claimed_email === to);
    await service.publish('order.planted', order.step());
    const [mail] = await service.someMailsTo(to);
    expect(mail!.subject).toBe('Your 5 trees are in the ground');
  });

  test('gets no more updates after stopping all emails', async () => {
    await service.start();
    const { order, orderId, claim } = await claimed();
    await service.publish('gift.declined', { orderId, at: new Date().toISOString() });
    await waitFor(async () => (await giftRow(orderId)).declined_at !== null);
    await service.publish('order.planted', order.step());
    await service.inbox.next(
      ({ to, subject }) => to[0]!.address === order.email && subject.includes('in the ground'),
    );
    await service.settle();
    expect(await service.mailsTo(claim.email)).toEqual([]);
  });

  test('gets receipt and refund of a photo package that they bought; the donor hears of neither', async () => {
    await service.start();
    const { order, orderId, claim, scheduled } = await claimed();
    const before = (await service.someMailsTo(order.email, 3)).length;
    const money = { amountMinor: 1500, currency: 'USD' } as const;
    await service.publish('photo_package.purchased', {
      orderId,
      purchaseId: 'b-9',
      photoPackageType: 'first_year',
      ...money,
      transactionId: 'pi_9',
      customer: { name: claim.name, email: claim.email },
      language: 'en',
      purchasedAt: AT,
      byRecipient: true,
    });
    const [receipt] = await service.someMailsTo(claim.email);
    expect(receipt!.text).toContain(`/g/${scheduled.token}`);
    expect(receipt!.text).toMatch(/USD\s15\.00/);
    await service.publish('payment.refunded', {
      orderId,
      photoPackage: { purchaseId: 'b-9', photoPackageType: 'first_year' },
      ...money,
      paidMinor: 1500,
      refundId: 'r-9',
      refundedMinor: 1500,
      isFull: true,
      reason: 'asked',
      at: AT,
    });
    const [, refund] = await service.someMailsTo(claim.email, 2);
    expect(refund!.subject).toMatch(/^Refund of/);
    expect(refund!.text).not.toContain('/orders/');
    await service.settle();
    expect(await service.mailsTo(order.email)).toHaveLength(before);
  });

  test('thanks the buyer once, in their own words', async () => {
    await service.start();
    const { order, orderId } = await given();
    await report(orderId);
    const thanks = { orderId, text: '¡Gracias! <3', from: 'Mateo Ríos', at: AT };
    const event = await service.publish('gift.thanked', thanks);
    const mail = await service.inbox.next(
      ({ to, subject }) => to[0]!.address === order.email && subject.startsWith('Thanks for your gift'),
    );
    expect(mail.text).toContain('«¡Gracias! <3»');
    expect(mail.html).toContain('¡Gracias! &lt;3');
    await service.republish(event);
    await service.settle();
    expect((await subjectsTo(order.email)).filter((subject) => subject.startsWith('Thanks'))).toHaveLength(1);
  });
});

describe('erasing', () => {
  /** All that is stored of an order's gift, as text. */
  const everything = async (orderId: string) =>
    JSON.stringify([
      await service.query('select * from notifications.mails where order_id = $1', [orderId]),
      await giftRow(orderId),
      await service.query('select * from notifications.gift_addresses'),
    ]);

  test('the recipient leaves nothing of them, and the donor their trees', async () => {
    await service.start();
    const { order, orderId, claim, scheduled, to } = await claimed({ name: `Mateo ${randomUUID()}` });
    await service.publish('gift.thanked', { orderId, text: 'A secret word', from: claim.name, at: AT });
    await service.inbox.next(({ text }) => text.includes('A secret word'));
    await service.allSent();
    await service.publish('customer.erased', {
      accountId: claim.accountId,
      email: claim.email,
      ordersToo: true,
      at: new Date().toISOString(),
    });
    await waitFor(async () => (await giftRow(orderId)).account_id === null);
    const all = await everything(orderId);
    for (const personal of [to, claim.email, claim.name, 'Mateo', 'A secret word', scheduled.gift.message])
      expect(all).not.toContain(personal);
    await service.publish('order.planted', order.step());
    await service.inbox.next(
      ({ to: [one], subject }) => one!.address === order.email && subject.includes('in the ground'),
    );
    await service.settle();
    expect(await subjectsTo(claim.email)).toEqual([]);
  });

  test('an address before its gift goes means that none goes, also when the gift is heard of later', async () => {
    await service.start();
    const waiting = await given({ deliverAt: inDays(2) });
    const at = new Date().toISOString();
    const erased = { accountId: randomUUID(), email: waiting.to, ordersToo: true, at };
    await service.publish('customer.erased', erased);
    await waitFor(async () => (await giftRow(waiting.orderId)).state === 'cancelled');
    const late = await given({ recipientEmail: waiting.to, addressedAt: AT, at: inDays(1) });
    await service.settle();
    expect(await letters(waiting.to)).toEqual([]);
    expect((await giftRow(late.orderId)).state).toBe('cancelled');
    for (const { orderId } of [waiting, late]) expect(await everything(orderId)).not.toContain(waiting.to);
    // A new gift after the erasure is for whoever has the address now.
    const anew = await given({ recipientEmail: waiting.to, addressedAt: inDays(1), at: inDays(1) });
    await report(anew.orderId);
    expect(await letters(waiting.to)).toHaveLength(1);
  });

  test('an account with an unverified address does not touch a gift to that address', async () => {
    await service.start();
    const { orderId, to } = await given({ deliverAt: inDays(2) });
    await service.publish('customer.erased', {
      accountId: randomUUID(),
      email: to,
      ordersToo: false,
      at: new Date().toISOString(),
    });
    await service.settle();
    expect((await giftRow(orderId)).recipient_email).toBe(to);
  });

  test('the buyer keeps the gift on its way, without their name', async () => {
    await service.start();
    const { order, orderId, to } = await given({ deliverAt: inDays(1) });
    await service.publish('order.updated', order.updated({ customer: ERASED_CUSTOMER }), 2);
    await waitFor(async () => (await giftRow(orderId)).from_name === null);
    await service.query(`update notifications.gifts set deliver_at = now() where order_id = $1`, [orderId]);
    await runGiftJobs();
    await report(orderId);
    const [mail] = await letters(to);
    expect(mail!.subject).toBe('A gift for you: 5 trees');
    expect(mail!.from).toEqual([{ name: 'Arboleda', address: 'hola@arboleda.test' }]);
    expect(mail!.text + mail!.html).not.toContain('Lucía');
  });
});
