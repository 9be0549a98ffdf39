import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { request } from '@arboleda/chassis/testing/request.ts';
import { runPeriodicJob } from '@arboleda/chassis/testing/periodic.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ADMIN, AT, newEmail, someOrder, someWorker } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
let url: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  service = await openHarness();
  ({ url, stop } = await service.start());
});
afterAll(() => service.close());

/** All stored data as text. */
const everything = async () =>
  JSON.stringify([
    await service.query('select * from notifications.mails'),
    await service.query('select * from notifications.orders'),
    await service.query('select * from notifications.addresses'),
  ]);

describe('an order’s donor', () => {
  test('with a new address gets later emails there, including queued ones', async () => {
    const order = someOrder({ language: 'en' });
    const email = newEmail();
    await service.publish('order.created', order.created);
    await service.someMailsTo(order.email);
    await service.inbox.stop();
    await service.publish('order.assigned', order.step());
    await waitFor(
      async () =>
        (
          await service.query(`select from notifications.mails where order_id = $1 and kind = 'assigned'`, [
            order.created.orderId,
          ])
        ).length === 1,
    );
    await service.publish('order.updated', order.updated({ customer: { name: 'Lucía P.', email } }), 2);
    await waitFor(
      async () =>
        (await service.query('select from notifications.mails where recipient_address = $1', [email]))
          .length === 1,
    );
    await service.inbox.start();
    await service.publish('order.completed', order.step());
    const mails = await service.someMailsTo(email, 2);
    expect(mails[0]!.to[0]!.name).toBe('Lucía P.');
    expect(await service.mailsTo(order.email)).toHaveLength(1);
  });

  test('keeps the newest address when changes arrive out of order', async () => {
    const order = someOrder();
    const [second, third] = [newEmail(), newEmail()];
    await service.publish('order.updated', order.updated({ customer: { name: 'L', email: third } }), 3);
    await service.publish('order.updated', order.updated({ customer: { name: 'L', email: second } }), 2);
    await service.publish('order.created', order.created, 1);
    await service.settle();
    await service.publish('order.completed', order.step());
    await service.someMailsTo(third);
    expect(await service.mailsTo(second)).toEqual([]);
  });

  test('who was erased is nowhere any more, and gets no emails', async () => {
    const customer = { name: `Olga ${randomUUID()}`, email: newEmail() };
    const order = someOrder({ language: 'en', customer, method: { kind: 'transfer', bank: 'bancolombia' } });
    const worker = someWorker();
    await service.publish('order.created', order.created);
    await service.publish('payment.rejected', {
      orderId: order.created.orderId,
      paymentId: 'p',
      by: ADMIN,
      at: AT,
      reason: `${customer.name} sent something else`,
    });
    await service.publish('order.assigned', order.step(worker));
    await service.publish('photo.uploaded', order.photo());
    await service.someMailsTo(customer.email, 4);
    await service.someMailsTo(worker.email);
    await service.allSent();
    expect(await everything()).toContain(customer.email);

    await service.publish('order.updated', order.updated({ customer: ERASED_CUSTOMER }), 2);
    await waitFor(async () => !(await everything()).includes(customer.email));
    expect(await everything()).not.toContain(customer.name);
    await service.publish('order.planted', order.step(worker, 1));
    await service.publish('photo.uploaded', order.photo());
    await service.publish('order.completed', order.step(worker, 2));
    await service.settle();
    await waitFor(
      async () =>
        (
          await service.query(
            `select from notifications.mails where state = 'pointless' and error = 'erased'`,
          )
        ).length > 0,
    );
    expect(
      (await service.inbox.mails()).filter((mail) => mail.to[0]!.address === ERASED_CUSTOMER.email),
    ).toEqual([]);
    expect(await service.mailsTo(customer.email)).toHaveLength(4);
    // The fact of each email stays, and emails to workers.
    const token = await service.identity.token({ role: 'admin' });
    const { body } = await request(url, 'GET /api/admin/orders/{id}/mails', {
      token,
      params: { id: order.created.orderId },
    });
    expect(body.mails.map(({ to }: { to: { address: string } }) => to.address)).toContain(worker.email);
    const receipt = body.mails.find(({ kind }: { kind: string }) => kind === 'transfer-approved');
    expect(receipt).toMatchObject({ state: 'sent', to: { name: '—', address: ERASED_CUSTOMER.email } });
    const again = await request(url, 'POST /api/admin/mails/{id}/resend', {
      token,
      params: { id: receipt.id },
    });
    expect(again.body.type).toBe('mail-not-repeatable');
  });

  test('who was erased between the announcement and the approval of a transfer is nowhere any more', async () => {
    const order = someOrder({ method: { kind: 'transfer', bank: 'bancolombia' } });
    await service.publish('payment.submitted', order.submitted);
    await service.someMailsTo(order.email);
    await service.allSent();
    await service.publish('order.created', { ...order.created, customer: ERASED_CUSTOMER });
    await waitFor(async () => !(await everything()).includes(order.email));
    await service.settle();
    expect(await service.mailsTo(order.email)).toHaveLength(1);
  });

  test('who was erased while an email was queued does not get it', async () => {
    const order = someOrder();
    await service.inbox.stop();
    await service.publish('order.created', order.created);
    await waitFor(
      async () =>
        (await service.query('select from notifications.mails where recipient_address = $1', [order.email]))
          .length === 1,
    );
    await service.publish('order.updated', order.updated({ customer: ERASED_CUSTOMER }), 2);
    await waitFor(async () => !(await everything()).includes(order.email));
    await service.inbox.start();
    await service.settle();
    expect(await service.mailsTo(order.email)).toEqual([]);
  });
});

describe('an account’s owner', () => {
  const account = () => ({
    accountId: randomUUID(),
    role: 'customer' as const,
    name: `Olga ${randomUUID()}`,
    language: 'en' as const,
  });
  const link = async (email: string) => ({
    email,
    sealedToken: await TEST_MAIL_TOKENS.seal('the-token', email),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });

  test('who was erased is erased at every former address', async () => {
    const owner = account();
    const [first, second] = [newEmail(), newEmail()];
    await service.publish('email.verification_requested', { ...owner, ...(await link(first)) });
    await service.publish('email.changed', { ...owner, from: first, to: second, fromVerified: true, at: AT });
    await service.publish('password.changed', { ...owner, email: second, at: AT });
    await service.someMailsTo(first, 2);
    await service.someMailsTo(second);
    await service.allSent();
    await service.publish('customer.erased', {
      accountId: owner.accountId,
      email: second,
      ordersToo: true,
      at: AT,
    });
    await waitFor(async () => !(await everything()).includes(second));
    const all = await everything();
    expect(all).not.toContain(first);
    expect(all).not.toContain(owner.name);
  });

  test('gets nothing that was requested before and arrives later', async () => {
    const owner = account();
    const email = newEmail();
    await service.publish('customer.erased', { accountId: owner.accountId, email, ordersToo: false, at: AT });
    await service.settle();
    await service.publish('password.reset_requested', { ...owner, ...(await link(email)) });
    await service.settle();
    expect(await service.mailsTo(email)).toEqual([]);
    expect(await everything()).not.toContain(email);
  });

  test('keeps the choice of the former address, which is erased', async () => {
    const owner = account();
    const [first, second] = [newEmail(), newEmail()];
    await service.query(
      'insert into notifications.addresses (address, news_token, news) values ($1, $2, false)',
      [first, randomUUID()],
    );
    await service.publish('email.changed', { ...owner, from: first, to: second, fromVerified: true, at: AT });
    await service.someMailsTo(first);
    const rows = await service.query(
      'select address, news from notifications.addresses where address = any($1)',
      [[first, second]],
    );
    expect(rows).toEqual([{ address: second, news: false }]);
  });

  test('whose change of address arrives after the erasure leaves nothing of the former one', async () => {
    const owner = account();
    const [first, second] = [newEmail(), newEmail()];
    await service.query('insert into notifications.addresses (address, news_token) values ($1, $2)', [
      first,
      randomUUID(),
    ]);
    await service.publish('customer.erased', {
      accountId: owner.accountId,
      email: second,
      ordersToo: true,
      at: AT,
    });
    await service.settle();
    await service.publish('email.changed', { ...owner, from: first, to: second, fromVerified: true, at: AT });
    await waitFor(async () => !(await everything()).includes(first));
    await service.settle();
    expect(await everything()).not.toContain(second);
  });

  test('with an unverified address of another leaves that one’s orders alone', async () => {
    const order = someOrder();
    await service.publish('order.created', order.created);
    await service.someMailsTo(order.email);
    const { accountId } = account();
    await service.publish('customer.erased', { accountId, email: order.email, ordersToo: false, at: AT });
    await service.settle();
    await service.publish('order.completed', order.step());
    await service.someMailsTo(order.email, 2);
  });
});

describe('a sent email', () => {
  const DAY_MS = 86_400_000;
  /** Runs the retention job with a clock so many days ahead, without a service running. */
  async function clearAfter(days: number): Promise<void> {
    const replica = await service.start(undefined, () => new Date(Date.now() + days * DAY_MS));
    await runPeriodicJob(service.query, 'notifications', 'retention');
    await replica.stop();
  }

  test('keeps its recipient for two years, then only its state; it is never sent twice', async () => {
    const order = someOrder();
    const event = await service.publish('order.created', order.created);
    await service.someMailsTo(order.email);
    await service.allSent();
    const row = async () =>
      (await service.query('select * from notifications.mails where event_id = $1', [event.id]))[0]!;
    await stop();
    await clearAfter(729);
    expect(await row()).toMatchObject({ recipient_address: order.email });
    await clearAfter(731);
    expect(await row()).toMatchObject({ state: 'sent', facts: {}, recipient_name: ERASED_CUSTOMER.name });
    ({ url, stop } = await service.start());
    await service.query('delete from notifications._inbox where event_id = $1', [event.id]);
    await service.republish(event as never);
    await service.settle();
    expect(await service.mailsTo(order.email)).toHaveLength(1);
  });
});

describe('updates about photos', () => {
  /** An order whose donor received an email about a photo. */
  async function told() {
    const order = someOrder({ language: 'en' });
    await service.publish('order.created', order.created);
    await service.someMailsTo(order.email);
    await service.publish('photo.uploaded', order.photo());
    const mails = await service.someMailsTo(order.email, 2);
    const mail = mails.find(({ subject }) => subject.includes('photo'))!;
    const header = /^<https:\/\/arboleda\.test(\/api\/mail\/unsubscribe\/([\w-]{22}))>$/.exec(
      mail.headers['list-unsubscribe']!,
    )!;
    return { order, mail, path: header[1]!, token: header[2]! };
  }

  test('can be unsubscribed by one click in a mail program; other emails stay', async () => {
    const { order, mail, path, token } = await told();
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(mail.text).toContain(`https://arboleda.test/mail-preferences#token=${token}`);
    // The request of a mail program: RFC 8058, section 3.2.
    const click = () =>
      fetch(new URL(path, url), {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });
    expect((await click()).status).toBe(204);
    expect((await click()).status).toBe(204);

    await service.publish('photo.uploaded', order.photo());
    const [stopped] = await waitFor(async () => {
      const rows = await service.query(
        `select error from notifications.mails where recipient_address = $1 and state = 'pointless'`,
        [order.email],
      );
      return rows.length === 1 && rows;
    });
    expect(stopped.error).toBe('unsubscribed');
    await service.publish('order.completed', order.step());
    const mails = await service.someMailsTo(order.email, 3);
    expect(mails.filter(({ subject }) => subject.includes('photo'))).toHaveLength(1);
  });

  test('can be subscribed to again', async () => {
    const { order, token } = await told();
    const params = { token };
    const choose = (news: unknown) =>
      request(url, 'PUT /api/mail/preferences/{token}', { params, body: { news } });
    expect((await choose(false)).body).toEqual({ news: false });
    expect((await request(url, 'GET /api/mail/preferences/{token}', { params })).body).toEqual({
      news: false,
    });
    expect((await choose(true)).body).toEqual({ news: true });
    expect((await choose('maybe')).status).toBe(422);
    await service.publish('photo.uploaded', order.photo());
    await service.someMailsTo(order.email, 3);
  });

  test('have one link for all emails to an address', async () => {
    const { order, token } = await told();
    const second = someOrder({
      language: 'en',
      customer: { name: 'Lucía', email: order.email.replace(/^[^@]+/, (name) => name.toUpperCase()) },
    });
    await service.publish('order.created', second.created);
    await service.publish('photo.uploaded', second.photo());
    const mail = await service.inbox.next(
      ({ text, to }) => to[0]!.address === second.email && text.includes('mail-preferences'),
    );
    expect(mail.text).toContain(token);
  });

  test('have a header URL that leads people to the page with the choice', async () => {
    const token = 'A'.repeat(22);
    const answer = await fetch(new URL(`/api/mail/unsubscribe/${token}`, url), { redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`https://arboleda.test/mail-preferences#token=${token}`);
  });

  test.each(['A'.repeat(22), 'short', '%00'])('cannot be chosen with %j', async (token) => {
    const calls = [
      request(url, 'POST /api/mail/unsubscribe/{token}', { params: { token } }),
      request(url, 'GET /api/mail/preferences/{token}', { params: { token } }),
      request(url, 'PUT /api/mail/preferences/{token}', { params: { token }, body: { news: true } }),
    ];
    for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
  });
});
