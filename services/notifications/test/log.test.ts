import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { type Mail, type Mailer, MailRefused } from '@arboleda/chassis/ports/mailer.ts';
import { openSmtpMailer } from '@arboleda/chassis/adapters/smtp/smtp.ts';
import { request, type RequestParts } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newEmail, someOrder, someWorker } from './builders.ts';
import { openAdminClient } from './admin-client.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
let url: string;
let adminClient: Awaited<ReturnType<typeof openAdminClient>>;
/** Addresses that the mail server refuses for good, and temporarily. */
const [refused, busy] = [new Set<string>(), new Set<string>()];
beforeAll(async () => {
  service = await openHarness();
  const real = openSmtpMailer({ smtpUrl: service.inbox.smtpUrl, mailFrom: 'Arboleda <hola@arboleda.test>' });
  const mailer: Mailer = {
    ...real,
    async send(mail: Mail) {
      if (refused.has(mail.to.address)) throw new MailRefused(mail.messageId, '550 no such user');
      if (busy.has(mail.to.address)) throw new Error('450 come back later');
      await real.send(mail);
    },
  };
  ({ url } = await service.start(mailer));
  adminClient = await openAdminClient(service, url);
});
afterAll(() => service.close());

const asAdmin: typeof adminClient.asAdmin = (key, parts) => adminClient.asAdmin(key, parts);
const mailsOf: typeof adminClient.mailsOf = (id, query) => adminClient.mailsOf(id, query);
const paid = () => adminClient.paid();

describe('an admin', () => {
  test('sees every email about an order, newest first, in pages', async () => {
    const { order, orderId, mail } = await paid();
    expect(mail).toEqual({
      id: expect.any(String),
      kind: 'receipt',
      orderId,
      language: 'en',
      state: 'sent',
      attempts: 1,
      to: { name: 'Lucía Peña', address: order.email },
      queuedAt: expect.any(String),
      sentAt: expect.any(String),
    });
    const worker = someWorker();
    await service.publish('order.assigned', order.step(worker));
    await service.someMailsTo(worker.email);
    await service.allSent();
    const all = await mailsOf(orderId);
    expect(all.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'assigned',
      'receipt',
      'worker-assigned',
    ]);
    const seen = [];
    let cursor: string | undefined;
    do {
      const query: RequestParts['query'] = { limit: 1, ...(cursor && { cursor }) };
      const { body } = await asAdmin('GET /api/admin/orders/{id}/mails', { params: { id: orderId }, query });
      expect(body.mails).toHaveLength(1);
      seen.push(...body.mails);
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(all);
  });

  test('finds emails by state, address and order', async () => {
    const { order, orderId } = await paid();
    const find = async (query: RequestParts['query']) =>
      (await asAdmin('GET /api/admin/mails', { query })).body.mails.map(
        (one: { orderId: string }) => one.orderId,
      );
    expect(await find({ q: order.email.slice(0, 8).toUpperCase() })).toEqual([orderId]);
    expect(await find({ q: orderId })).toEqual([orderId]);
    expect(await find({ q: orderId.slice(-6).toUpperCase(), state: 'sent' })).toEqual([orderId]);
    expect(await find({ q: orderId, state: 'bounced' })).toEqual([]);
    expect(await find({ q: '%' })).toEqual([]);
    expect(await find({ q: `_${order.email.slice(1)}` })).toEqual([]);
  });

  test('sees what was refused and why, and that the address is marked', async () => {
    const order = someOrder();
    refused.add(order.email);
    await service.publish('order.created', order.created);
    const [mail] = await waitFor(async () => {
      const mails = await mailsOf(order.created.orderId);
      return mails[0]?.state === 'refused' && mails;
    });
    expect(mail).toMatchObject({
      error: '550 no such user',
      addressFailedAt: expect.any(String),
      attempts: 1,
    });
    expect(mail).not.toHaveProperty('sentAt');
  });

  test('sees what waits and the mail server’s answer; retrying at once sends one email', async () => {
    const order = someOrder();
    busy.add(order.email);
    await service.publish('order.created', order.created);
    const [mail] = await waitFor(async () => {
      const mails = await mailsOf(order.created.orderId);
      return mails[0]?.error !== undefined && mails;
    });
    expect(mail).toMatchObject({ state: 'waiting', error: '450 come back later' });
    const { body } = await asAdmin('POST /api/admin/mails/{id}/resend', { params: { id: mail.id } });
    expect(body.mail.id).toBe(mail.id);
    busy.delete(order.email);
    await service.someMailsTo(order.email);
    await service.settle();
    expect(await service.mailsTo(order.email)).toHaveLength(1);
  });

  test('resends an email to the order’s current address', async () => {
    const { order, mail } = await paid();
    const email = newEmail();
    const customer = { name: 'Lucía P.', email };
    await service.publish('order.updated', order.updated({ customer, language: 'es' }), 2);
    await service.allSent();
    const again = await asAdmin('POST /api/admin/mails/{id}/resend', { params: { id: mail.id } });
    expect(again.status).toBe(202);
    const token = await service.identity.serviceToken('auth', 'notifications');
    const query = { object: order.created.orderId };
    const log = await request(url, 'GET /internal/notifications/audit-log', { query, token });
    expect(log.body.rows).toMatchObject([{ service: 'notifications', orderId: order.created.orderId }]);
    expect(again.body.mail).toMatchObject({
      kind: 'receipt',
      resendOf: mail.id,
      to: { name: 'Lucía P.', address: email },
    });
    const [received] = await service.someMailsTo(email);
    expect(received!.subject).toMatch(/^Recibo de 5 árboles/);
    expect(await service.mailsTo(order.email)).toHaveLength(1);
  });

  test('resends one when clicking twice or repeating a request', async () => {
    const { order, mail } = await paid();
    const resend = (key: string) =>
      asAdmin('POST /api/admin/mails/{id}/resend', {
        params: { id: mail.id },
        headers: { 'Idempotency-Key': key },
      });
    busy.add(order.email);
    const twice = await Promise.all([resend('first-click'), resend('second-click')]);
    expect(new Set(twice.map(({ body }) => body.mail.id)).size).toBe(1);
    busy.delete(order.email);
    await service.someMailsTo(order.email, 2);
    await service.allSent();
    const [first, repeated] = [await resend('another-key'), await resend('another-key')];
    expect(repeated.body.mail.id).toBe(first.body.mail.id);
    await service.someMailsTo(order.email, 3);
    await service.settle();
    const after = await resend('another-key');
    expect(after.body.mail.id).toBe(first.body.mail.id);
    expect(await service.mailsTo(order.email)).toHaveLength(3);
  });

  test('reads an email as its donor got it, without the link to unsubscribe', async () => {
    const { order, orderId, mail } = await paid();
    const read = (id: string) => asAdmin('GET /api/admin/mails/{id}', { params: { id } });
    const { status, body } = await read(mail.id);
    const [received] = await service.mailsTo(order.email);
    expect(status).toBe(200);
    expect(body.mail).toEqual(mail);
    expect(body.content.subject).toBe(received!.subject);
    expect(body.content.text).toContain(order.link);
    expect(body.content.text).not.toContain('mail-preferences');
    await service.publish('customer.erased', {
      accountId: 'a-erased',
      email: order.email,
      ordersToo: true,
      at: new Date().toISOString(),
    });
    await service.publish(
      'order.updated',
      order.updated({ customer: { ...ERASED_CUSTOMER }, changed: ['customer'] }),
      2,
    );
    await waitFor(async () => (await read(mail.id)).body.content === undefined);
    expect((await mailsOf(orderId))[0].to.address).toBe(ERASED_CUSTOMER.email);
  });

  test.each(['finance', 'support', 'auditor'] as const)(
    'reads an email without the private link, as %s may not act as the donor',
    async (adminRole) => {
      const { order, mail } = await paid();
      const token = await service.identity.token({ role: 'admin', adminRole });
      const { body } = await request(url, 'GET /api/admin/mails/{id}', { params: { id: mail.id }, token });
      expect(body.content.text).toContain('/orders/hidden');
      expect(JSON.stringify(body)).not.toContain(order.link);
    },
  );

  test('cannot resend a one-time link', async () => {
    const email = newEmail();
    await service.publish('password.reset_requested', {
      accountId: 'a-1',
      role: 'customer',
      name: 'Lucía',
      email,
      language: 'en',
      sealedToken: await TEST_MAIL_TOKENS.seal('secret-token', email),
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await service.someMailsTo(email);
    await service.allSent();
    const { body } = await asAdmin('GET /api/admin/mails', { query: { q: email } });
    expect(JSON.stringify(body)).not.toContain('secret-token');
    const read = await asAdmin('GET /api/admin/mails/{id}', { params: { id: body.mails[0].id } });
    expect(read.body.content.text).toContain('token=hidden');
    expect(JSON.stringify(read.body)).not.toMatch(/secret-token|sealed/);
    const again = await asAdmin('POST /api/admin/mails/{id}/resend', { params: { id: body.mails[0].id } });
    expect([again.status, again.body.type]).toEqual([409, 'mail-not-repeatable']);
  });

  test.each([
    ['GET /api/admin/orders/{id}/mails', 'f'.repeat(24)],
    ['GET /api/admin/mails/{id}', 'no-such-mail'],
    ['POST /api/admin/mails/{id}/resend', 'no-such-mail'],
  ] as const)('%s of what is not there is not found', async (key, id) => {
    expect((await asAdmin(key, { params: { id } })).status).toBe(404);
  });

  test.each([{ state: 'lost' }, { limit: 0 }, { limit: 101 }, { cursor: 'none' }, { q: 'a\u0000b' }])(
    'gets a validation error for %j',
    async (query) => {
      const answer = await asAdmin('GET /api/admin/mails', { query: query as never });
      expect([answer.status, answer.body.type]).toEqual([422, 'validation-failed']);
      expect(answer.body.errors[0].path).toBe(Object.keys(query)[0]);
    },
  );

  test('is the only one to see emails', async () => {
    const { orderId, mail } = await paid();
    const calls = [
      ['GET /api/admin/mails', {}],
      ['GET /api/admin/orders/{id}/mails', { params: { id: orderId } }],
      ['GET /api/admin/mails/{id}', { params: { id: mail.id } }],
      ['POST /api/admin/mails/{id}/resend', { params: { id: mail.id } }],
    ] as const;
    for (const [key, parts] of calls) {
      expect((await request(url, key, parts)).status).toBe(401);
      for (const role of ['customer', 'worker'] as const) {
        const token = await service.identity.token({ role });
        expect((await request(url, key, { ...parts, token })).status).toBe(403);
      }
    }
  });
});

test('metrics count a day’s sent and refused emails', async () => {
  const { orderId } = await paid();
  expect((await mailsOf(orderId))[0]).toMatchObject({ state: 'sent' });
  const order = someOrder();
  refused.add(order.email);
  await service.publish('order.created', order.created);
  await waitFor(async () => (await mailsOf(order.created.orderId))[0]?.state === 'refused');
  const figures = await (await fetch(`${url}/metrics`)).text();
  expect(figures).toMatch(/mails_by_state\{state="sent"[^}]*\} [1-9]/);
  expect(figures).toMatch(/mails_by_state\{state="refused"[^}]*\} [1-9]/);
});
