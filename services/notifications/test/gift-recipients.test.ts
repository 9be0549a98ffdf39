import { testGiftToken } from '@arboleda/chassis/testing/config.ts';
import { MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import { startWaitingJobs } from '@arboleda/chassis/testing/periodic.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PHOTO_MAIL_JOB } from '../queue/photo-mail.ts';
import { AT, newEmail } from './builders.ts';
import { BOUNCE_SECRET } from './harness.ts';
import {
  inDays,
  service,
  reports,
  report,
  giftRow,
  runGiftJobs,
  letters,
  subjectsTo,
  given,
  claimed,
  controlled,
} from './gift-harness.ts';

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
      link: 2,
      gift: { ...scheduled.gift, recipientEmail: right },
    });
    expect(await report(orderId, 2)).toMatchObject([{}, { type: 'gift.delivered', revision: 2 }]);
    const [mail] = await service.someMailsTo(right);
    expect(mail!.text).toContain(`/g/${testGiftToken(orderId, 2)}`);
  });

  test('that bounces later is reported once, and a late bounce of an earlier address is not', async () => {
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

  test('corrected before the day gets the gift, the earlier one nothing', async () => {
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

  test('that wants no gifts gets none of any buyer, waiting or new; their buyers are notified', async () => {
    await service.start();
    const first = await given();
    await report(first.orderId);
    const waiting = await given({ recipientEmail: first.to, deliverAt: inDays(4) });
    await service.publish('gift.declined', { orderId: first.orderId, at: AT });
    expect(await report(waiting.orderId)).toMatchObject([{ type: 'gift.bounced', reason: 'refused' }]);
    const later = await given({ recipientEmail: first.to });
    expect(await report(later.orderId)).toMatchObject([{ type: 'gift.bounced', reason: 'refused' }]);
    // The same mailbox in another spelling.
    const tagged = await given({ recipientEmail: first.to.replace('@', '+tree@') });
    expect(await report(tagged.orderId)).toMatchObject([{ type: 'gift.bounced', reason: 'refused' }]);
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

describe('an account with a gift', () => {
  test('is emailed about its trees in its language, with a link to its page, and so is the donor', async () => {
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
      expect(text).toContain(`https://arboleda.test/g/${testGiftToken(scheduled.orderId, 1)}`);
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

  test('is emailed at its new address after a change', async () => {
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

  test('gets receipt and refund of a photo package that it bought; the donor gets neither', async () => {
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
    expect(receipt!.text).toContain(`/g/${testGiftToken(scheduled.orderId, 1)}`);
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

  test('thanks the buyer once, in its own words', async () => {
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

  test('an address before its gift goes means that none goes, also when the gift arrives later', async () => {
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
    // A gift bought after the erasure is sent: the address may have another owner.
    const later = await given({ recipientEmail: waiting.to, addressedAt: inDays(1), at: inDays(1) });
    await report(later.orderId);
    await waitFor(async () => (await letters(waiting.to)).length > 0);
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
