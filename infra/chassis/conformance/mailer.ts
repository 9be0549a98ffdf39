import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { openTestInbox, type TestInbox } from '../testing/inbox.ts';
import { type Mail, type Mailer, MailRefused } from '../ports/mailer.ts';

export const MAIL_FROM = 'Árboles de Ñame <hola@arboleda.test>';

const someMail = (changes: Partial<Mail> = {}): Mail => ({
  to: { name: 'Lucía Peña', address: 'lucia@example.org' },
  subject: 'Tus árboles están sembrados',
  html: '<p>Sembrados en Quindío</p>',
  text: 'Sembrados en Quindío',
  messageId: `${randomUUID()}@arboleda.test`,
  ...changes,
});

/**
 * The contract of every Mailer, tested on real SMTP servers. The sender is MAIL_FROM. @param open takes the server's
 * URL
 */
export function mailerConformance(open: (smtpUrl: string) => Mailer): void {
  describe('a mailer', () => {
    let inbox: TestInbox;
    let mailer: Mailer;
    beforeAll(async () => {
      inbox = await openTestInbox();
      mailer = open(inbox.smtpUrl);
    }, 30_000);
    afterAll(async () => {
      await mailer.close();
      await inbox.close();
    });

    /** Sends an email and returns what arrived. */
    async function deliver(changes: Partial<Mail> = {}) {
      const mail = someMail(changes);
      await mailer.send(mail);
      return inbox.next((one) => one.headers['message-id'] === `<${mail.messageId}>`);
    }

    test('sends subject, HTML and text with accents', async () => {
      const received = await deliver();
      expect(received.subject).toBe('Tus árboles están sembrados');
      expect(received.html.trim()).toBe('<p>Sembrados en Quindío</p>');
      expect(received.text.trim()).toBe('Sembrados en Quindío');
    });

    test('names sender and recipient', async () => {
      const received = await deliver();
      expect(received.from).toEqual([{ name: 'Árboles de Ñame', address: 'hola@arboleda.test' }]);
      expect(received.to).toEqual([{ name: 'Lucía Peña', address: 'lucia@example.org' }]);
    });

    test('marks the email as automatic, and adds its correlation id', async () => {
      const received = await deliver({ correlationId: 'request-1' });
      expect(received.headers['auto-submitted']).toBe('auto-generated');
      expect(received.headers['x-correlation-id']).toBe('request-1');
    });

    test('adds a one-click unsubscribe link, if there is one', async () => {
      const received = await deliver({ unsubscribeUrl: 'https://arboleda.test/api/mail/unsubscribe/abc' });
      expect(received.headers['list-unsubscribe']).toBe('<https://arboleda.test/api/mail/unsubscribe/abc>');
      expect(received.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
      expect((await deliver()).headers).not.toHaveProperty('list-unsubscribe');
    });

    test('prevents header injection by line breaks in a name, a subject or an id', async () => {
      const received = await deliver({
        to: { name: 'Eve\r\nBcc: all@example.org', address: 'eve@example.org' },
        subject: 'Hello\r\nX-Evil: yes\n\nbody',
        correlationId: 'a\r\nX-Evil: yes',
      });
      expect(received.headers).not.toHaveProperty('x-evil');
      expect(received.headers).not.toHaveProperty('bcc');
      expect(received.to).toEqual([{ name: 'Eve Bcc: all@example.org', address: 'eve@example.org' }]);
      expect(received.subject).toBe('Hello X-Evil: yes body');
    });

    test.each([
      'a@example.org, b@example.org',
      'a@example.org\r\nRCPT TO:<b@example.org>',
      'Ann <a@example.org>',
      'nobody',
      '',
    ])('rejects anything but exactly one address: %j', async (address) => {
      await expect(mailer.send(someMail({ to: { name: '', address } }))).rejects.toThrow(MailRefused);
    });

    test('sends many emails concurrently, each once', async () => {
      const mails = Array.from({ length: 20 }, () => someMail());
      await Promise.all(mails.map((mail) => mailer.send(mail)));
      const last = mails.map((mail) =>
        inbox.next((one) => one.headers['message-id'] === `<${mail.messageId}>`),
      );
      await Promise.all(last);
      const ids = (await inbox.mails()).map((mail) => mail.headers['message-id']);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test('fails while the server is down, and works again afterwards', async () => {
      await inbox.stop();
      const failure = await mailer.send(someMail()).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: expect.stringMatching(/^E[A-Z]+/) });
      expect(failure).not.toBeInstanceOf(MailRefused);
      await expect(mailer.check()).rejects.toThrow();
      await inbox.start();
      await mailer.check();
      await deliver();
    }, 30_000);
  });

  describe('a mailer whose server rejects emails', () => {
    let server: SMTPServer;
    let mailer: Mailer;
    beforeAll(async () => {
      server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS'],
        onRcptTo({ address }, _session, callback) {
          const responseCode = Number(/^(\d{3})@/.exec(address)?.[1]);
          callback(responseCode ? Object.assign(new Error('no'), { responseCode }) : null);
        },
        onData(stream, _session, callback) {
          stream.resume().on('end', () => callback(Object.assign(new Error('full'), { responseCode: 452 })));
        },
      });
      const listening = server.listen(0, '127.0.0.1');
      await once(listening, 'listening');
      mailer = open(`smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`);
    });
    afterAll(async () => {
      await mailer.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    });

    const sendTo = (address: string) => mailer.send(someMail({ to: { name: '', address } }));

    test("recognises a permanent rejection, with the server's answer", async () => {
      const failure = await sendTo('550@example.org').catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(MailRefused);
      expect(failure).toMatchObject({ answer: '550 no' });
      expect(String(failure)).not.toContain('@example.org');
    });

    test.each([
      ['the mailbox is busy', '450@example.org'],
      ['the disk is full after the mail was read', 'lucia@example.org'],
    ])('treats it as temporary when %s', async (_why, address) => {
      const failure = await sendTo(address).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: expect.stringMatching(/^E[A-Z]+/) });
      expect(failure).not.toBeInstanceOf(MailRefused);
    });
  });
}
