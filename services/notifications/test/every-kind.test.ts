import { openSmtpMailer } from '@arboleda/chassis/adapters/smtp/smtp.ts';
import { MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import { type Language, LANGUAGES } from '@arboleda/contracts/roles.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { AT, someOrder } from './builders.ts';
import { NO_ADDRESS, type Published, publishEveryKind, TO_PEOPLE } from './every-kind.ts';
import { OFFICE_EMAIL, openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
beforeAll(async () => {
  service = await openHarness();
  const real = openSmtpMailer({
    smtpUrl: service.inbox.smtpUrl,
    mailFrom: 'Arboleda <hola@arboleda.test>',
  });
  await service.start({
    ...real,
    send(mail) {
      if (mail.to.address === NO_ADDRESS) throw new MailRefused(mail.messageId, '550 no such user');
      return real.send(mail);
    },
  });
});
afterAll(() => service.close());

describe.each(LANGUAGES)('every kind of email in %s', (language) => {
  test('is sent once to its recipient, however often its event is delivered', async () => {
    const { begin, kinds } = await publishEveryKind(service, language);
    const published: Published = [];
    for (const start of begin) published.push(await start());
    await service.allSent();
    const done = new Set<unknown>(begin);
    for (const kind of TO_PEOPLE) {
      const { publish } = kinds[kind];
      // One event may cause emails to several people.
      const same = kind === 'worker-assigned' || kind === 'worker-unassigned';
      if (done.has(publish) || same) continue;
      done.add(publish);
      published.push(await publish());
    }
    for (const kind of TO_PEOPLE) await arrived(kinds[kind]);
    await service.allSent();
    for (let time = 0; time < 3; time++) await service.republish(...(published as never[]));
    await service.settle();

    for (const kind of TO_PEOPLE) {
      const mails = (await service.mailsTo(kinds[kind].to)).filter(({ text }) =>
        text.includes(kinds[kind].says[language]),
      );
      expect([kind, mails.length]).toEqual([kind, 1]);
      expect(mails[0]!.html).toContain(`<html lang="${language}">`);
      expect(mails[0]!.headers['auto-submitted']).toBe('auto-generated');
      expect([kind, 'list-unsubscribe' in mails[0]!.headers]).toEqual([
        kind,
        kind === 'photos' || kind === 'growth-update' || kind === 'gift',
      ]);
    }
    const all = [...new Set(TO_PEOPLE.map((kind) => kinds[kind].to))];
    const counts = await Promise.all(all.map(async (to) => (await service.mailsTo(to)).length));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(TO_PEOPLE.length);
  });

  const arrived = ({ to, says }: { to: string; says: Record<Language, string> }) =>
    service.inbox.next((mail) => mail.to[0]!.address === to && mail.text.includes(says[language]));
});

test('the office hears once that the bank may have taken money back, in its language', async () => {
  const { created, succeeded } = someOrder();
  const event = await service.publish('payment.return_suspected', {
    orderId: created.orderId,
    paymentId: succeeded.paymentId,
    debitId: 'debit',
    amountMinor: 8_230_000,
    currency: 'COP',
    day: '2026-11-22',
    at: AT,
  });
  await service.republish(event as never);
  const [mail, ...more] = await service.someMailsTo(OFFICE_EMAIL, 1);
  await service.settle();
  expect(more).toEqual([]);
  expect(mail!.subject).toContain(created.orderId.slice(-6).toUpperCase());
  expect(mail!.text).toContain('82.300');
  expect(mail!.text).toContain('22 de noviembre de 2026');
  expect(mail!.text).toContain('/admin-dashboard?view=statements&list=returns');
});

test('an admin’s text arrives as text, and cannot inject headers', async () => {
  const order = someOrder({ method: { kind: 'transfer', bank: 'bancolombia' } });
  await service.publish('payment.submitted', order.submitted);
  await service.publish('payment.rejected', {
    orderId: order.created.orderId,
    paymentId: 'p',
    by: { role: 'admin' },
    at: AT,
    reason: '<script>alert(1)</script>\r\nBcc: all@example.org',
  });
  const mails = await service.someMailsTo(order.email, 2);
  const rejected = mails.find(({ subject }) => subject.startsWith('We could not'))!;
  expect(rejected.html).toContain('&lt;script&gt;');
  expect(rejected.html).not.toContain('<script');
  expect(rejected.headers).not.toHaveProperty('bcc');
  expect(rejected.text).toContain('https://arboleda.test/plant-trees');
  expect(rejected.text).toContain(order.link);
});
