import { openTestInbox, type TestInbox } from '@arboleda/chassis/testing/inbox.ts';
import { openSmtpMailer } from '@arboleda/chassis/adapters/smtp/smtp.ts';
import { type Mail, type Mailer, MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import { gate } from '@arboleda/chassis/testing/gate.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { catchUp } from '../queue/catch-up.ts';
import { someOrder } from './builders.ts';
import { openAdminClient } from './admin-client.ts';
import { BOUNCE_SECRET, openHarness } from './harness.ts';

jest.setTimeout(60_000);

let inbox: TestInbox;
beforeAll(async () => {
  inbox = await openTestInbox();
});
afterAll(() => inbox.close());

describe('emails that fail', () => {
  let service: Awaited<ReturnType<typeof openHarness>>;

  beforeAll(async () => {
    service = await openHarness({ inbox });
  });

  afterEach(() => service.stopAll());

  afterAll(() => service.close());

  /** A mailer that the test controls, which records attempts. */
  function controlledMailer(send: (mail: Mail, real: Mailer) => Promise<void>) {
    const real = openSmtpMailer({
      smtpUrl: service.inbox.smtpUrl,
      mailFrom: 'Arboleda <hola@arboleda.test>',
    });
    const asked: Mail[] = [];
    const mailer: Mailer = {
      ...real,
      send: async (mail) => {
        asked.push(mail);
        await send(mail, real);
      },
    };
    return { mailer, asked };
  }

  const rowOf = async (address: string) =>
    (await service.query('select * from notifications.mails where recipient_address = $1', [address]))[0];

  /** Emails to an address once marked as sent; maildev shows an email a moment after it has accepted it. */
  const sent = (address: string) =>
    waitFor(async () => {
      if (!(await rowOf(address))?.sent_at) return undefined;
      const mails = await service.mailsTo(address);
      return mails.length > 0 && mails;
    }, 30_000);

  describe('an email', () => {
    test('queued before a crash is sent once by the next process', async () => {
      const order = someOrder();
      const { mailer, asked } = controlledMailer(() => Promise.reject(new Error('connection lost')));
      const first = await service.start(mailer);
      await service.publish('order.created', order.created);
      await waitFor(() => asked.length > 1);
      await first.stop();
      expect(await service.mailsTo(order.email)).toEqual([]);
      await service.start();
      expect(await sent(order.email)).toHaveLength(1);
    });

    test('waits while the mail server is down, and is sent afterwards', async () => {
      const order = someOrder();
      await service.start();
      await service.inbox.stop();
      await service.publish('order.created', order.created);
      await waitFor(async () => (await rowOf(order.email))?.attempts > 2, 20_000);
      expect((await rowOf(order.email)).sent_at).toBeNull();
      await service.inbox.start();
      expect(await sent(order.email)).toHaveLength(1);
    });

    test('server that is down at the start is reported by the service until it is up', async () => {
      await service.inbox.stop();
      const { url } = await service.start();
      const readiness = async () => {
        const response = await fetch(new URL('/readyz', url));
        return [response.status, ((await response.json()) as { waitingFor?: string[] }).waitingFor];
      };
      expect(await readiness()).toEqual([503, ['smtp']]);
      const order = someOrder();
      await service.publish('order.created', order.created);
      await service.inbox.start();
      await waitFor(async () => (await readiness())[0] === 200, 15_000);
      expect(await sent(order.email)).toHaveLength(1);
    });

    test('keeps its Message-ID on every attempt, so that duplicates can be recognized', async () => {
      const order = someOrder();
      let tries = 0;
      const { mailer, asked } = controlledMailer(async (mail, real) => {
        await real.send(mail);
        if (++tries < 3) throw new Error('the confirmation was lost');
      });
      await service.start(mailer);
      await service.publish('order.created', order.created);
      await sent(order.email);
      expect(new Set(asked.map((mail) => JSON.stringify(mail))).size).toBe(1);
      expect(asked).toHaveLength(3);
    });

    test('that is accepted is not resent when the database fails before it is marked', async () => {
      const order = someOrder();
      const { mailer, asked } = controlledMailer(async (mail, real) => {
        await real.send(mail);
        // Marking fails for a while, as if the database were unreachable.
        await service.query(`create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'not now'; end $$`);
        await service.query(
          `create trigger refuse before update of sent_at on notifications.mails for each row execute function refuse()`,
        );
      });
      await service.start(mailer);
      await service.publish('order.created', order.created);
      await waitFor(async () => (await service.mailsTo(order.email)).length === 1, 20_000);
      await waitFor(async () => (await rowOf(order.email))?.leased_until !== null);
      await service.query('drop trigger refuse on notifications.mails');
      expect(await sent(order.email)).toHaveLength(1);
      expect(asked).toHaveLength(1);
    });

    test('that is marked is not resent when a crash of the database loses the mark', async () => {
      const order = someOrder();
      const { mailer, asked } = controlledMailer((mail, real) => real.send(mail));
      await service.start(mailer);
      await service.publish('order.created', order.created);
      await sent(order.email);
      await service.query('update notifications.mails set sent_at = null where recipient_address = $1', [
        order.email,
      ]);
      expect(await sent(order.email)).toHaveLength(1);
      expect(asked).toHaveLength(1);
    });

    test('that failed has its next try in its row, later each time, and an upgrade’s last job hurries nobody', async () => {
      const order = someOrder();
      const { mailer, asked } = controlledMailer(() => Promise.reject(new Error('421 try later')));
      await service.start(mailer);
      await service.publish('order.created', order.created);
      await waitFor(() => asked.length > 1);
      await service.query(
        `update notifications.mails set attempts = 40, send_after = null where recipient_address = $1`,
        [order.email],
      );
      const { id } = await rowOf(order.email);
      await service.platform.jobs('notifications').enqueue([{ name: 'send-mail', payload: { mailId: id } }]);
      const row = await waitFor(async () => {
        const found = await rowOf(order.email);
        return found.attempts === 41 && found.send_after !== null && found;
      }, 20_000);
      expect(row).toMatchObject({ state: 'waiting', leased_until: null, error: '421 try later' });
      const laterMs = row.send_after.getTime() - Date.now();
      expect(laterMs).toBeGreaterThan(3_500_000);
      expect(laterMs).toBeLessThanOrEqual(3_600_000);
      expect(await service.platform.jobs('notifications').waiting()).toBe(0);
    });

    test('is leased while its server is slow, and only briefly in case of a crash', async () => {
      const order = someOrder();
      const answered = gate();
      const { mailer, asked } = controlledMailer(async (mail, real) => {
        await answered.opened;
        await real.send(mail);
      });
      await service.start(mailer);
      await service.publish('order.created', order.created);
      await waitFor(() => asked.length === 1, 20_000);
      const heldUntil = async () => (await rowOf(order.email))?.leased_until as Date;
      const first = await heldUntil();
      await waitFor(async () => (await heldUntil()) > first, 20_000);
      // quality.md: recovery from a crash within 30 s, including the queue's retries.
      expect((await heldUntil()).getTime() - Date.now()).toBeLessThanOrEqual(15_000);
      answered.open();
      expect(await sent(order.email)).toHaveLength(1);
      expect(asked).toHaveLength(1);
    });

    test('refused for good is given up with its reason, and blocks nothing', async () => {
      const [refused, other] = [someOrder(), someOrder()];
      const { mailer, asked } = controlledMailer(async (mail, real) => {
        if (mail.to.address === refused.email) throw new MailRefused(mail.messageId, '550 no such user');
        await real.send(mail);
      });
      await service.start(mailer);
      await service.publish('order.created', refused.created);
      await service.publish('order.created', other.created);
      expect(await sent(other.email)).toHaveLength(1);
      const row = await waitFor(async () => {
        const found = await rowOf(refused.email);
        return found?.dropped_at !== null && found;
      });
      expect(row).toMatchObject({ state: 'refused', error: '550 no such user', sent_at: null });
      expect(asked.filter((mail) => mail.to.address === refused.email)).toHaveLength(1);
    });

    test('is sent once by two replicas', async () => {
      const orders = Array.from({ length: 10 }, () => someOrder());
      await Promise.all([service.start(), service.start()]);
      await Promise.all(orders.map((order) => service.publish('order.created', order.created)));
      for (const order of orders) expect(await sent(order.email)).toHaveLength(1);
      const addresses = orders.map(({ email }) => email);
      const ids = (await service.inbox.mails())
        .filter(({ to }) => addresses.includes(to[0]!.address))
        .map((mail) => mail.headers['message-id']);
      expect(new Set(ids).size).toBe(10);
      expect(ids).toHaveLength(10);
    });

    test('and photos whose jobs gave up hours ago are enqueued again', async () => {
      const order = someOrder();
      await service.start();
      await service.publish('order.created', order.created);
      await sent(order.email);
      await service.query(
        `insert into notifications.photos (id, order_id, event_id, filename, uploaded_at)
       values ('photo-1', $1, 'event-1', 'photo-1.jpg', now() - interval '3 hours')`,
        [order.created.orderId],
      );
      await service.query(
        `insert into notifications.mails
         (id, event_id, kind, recipient_address, recipient_name, language, facts, correlation_id, queued_at)
       select 'mail-1', 'event-2', kind, recipient_address, recipient_name, language, facts, correlation_id,
         now() - interval '3 hours'
       from notifications.mails where recipient_address = $1`,
        [order.email],
      );
      const migrations = new URL('../migrations/', import.meta.url);
      const sql = await service.platform.sql('notifications', migrations);
      await catchUp(sql, service.platform.jobs('notifications'), new Date());
      const subjects = await waitFor(async () => {
        const mails = await service.mailsTo(order.email);
        return mails.length === 3 && mails.map((mail) => mail.subject);
      }, 30_000);
      expect(subjects).toContain('1 new photo of your trees');
      expect(subjects.filter((subject) => subject.startsWith('Receipt'))).toHaveLength(2);
    });
  });
});

describe('bounces', () => {
  let service: Awaited<ReturnType<typeof openHarness>>;

  let url: string;

  let adminClient: Awaited<ReturnType<typeof openAdminClient>>;

  beforeAll(async () => {
    service = await openHarness({ inbox });
    ({ url } = await service.start());
    adminClient = await openAdminClient(service, url);
  });

  afterAll(() => service.close());

  describe('a bounced email', () => {
    const tell = (body: unknown, secret: string | undefined = BOUNCE_SECRET) =>
      request(url, 'POST /api/mail/bounces', {
        body,
        headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
      });

    test('is recorded with its reason, its address is marked, and later emails are still tried', async () => {
      const { order, orderId, messageId } = await adminClient.paid();
      for (let time = 0; time < 2; time++) {
        expect((await tell({ messageId, reason: 'mailbox unknown', permanent: true })).status).toBe(204);
      }
      const [mail] = await adminClient.mailsOf(orderId);
      expect(mail).toMatchObject({
        state: 'bounced',
        error: 'mailbox unknown',
        addressFailedAt: expect.any(String),
      });
      await service.publish('order.completed', order.step());
      await service.someMailsTo(order.email, 2);
    });

    test('marks no address after a temporary failure', async () => {
      const { orderId, messageId } = await adminClient.paid();
      await tell({ messageId: messageId.slice(1, -1), reason: 'mailbox full', permanent: false });
      const [mail] = await adminClient.mailsOf(orderId);
      expect(mail).toMatchObject({ state: 'bounced', error: 'mailbox full' });
      expect(mail).not.toHaveProperty('addressFailedAt');
    });

    test('is refused without the secret', async () => {
      const { orderId, messageId } = await adminClient.paid();
      const bounce = { messageId, reason: 'x', permanent: true };
      for (const secret of [undefined, '', 'another secret of the right length!!']) {
        const { status } = await request(url, 'POST /api/mail/bounces', {
          body: bounce,
          headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
        });
        expect(status).toBe(401);
      }
      expect((await adminClient.mailsOf(orderId))[0].state).toBe('sent');
    });

    test('must be one of ours', async () => {
      expect((await tell({ messageId: '<other@example.org>', reason: 'x', permanent: true })).status).toBe(
        404,
      );
      expect((await tell({ messageId: 'x', permanent: 'yes' })).status).toBe(422);
      expect((await tell({ reason: 'x', permanent: true })).status).toBe(422);
    });

    test('is not accepted where no secret is set', async () => {
      const other = await openHarness({ bounceSecret: undefined, inbox });
      try {
        const { url: without } = await other.start();
        const body = { messageId: 'x', reason: 'x', permanent: true };
        const headers = { Authorization: 'Bearer undefined' };
        expect((await request(without, 'POST /api/mail/bounces', { body, headers })).status).toBe(404);
      } finally {
        await other.close();
      }
    });
  });
});
