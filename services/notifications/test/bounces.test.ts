import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openDesk } from './desk.ts';
import { BOUNCE_SECRET, openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
let url: string;
let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => {
  service = await openHarness();
  ({ url } = await service.start());
  desk = await openDesk(service, url);
});
afterAll(() => service.close());

describe('a mail that came back', () => {
  const tell = (body: unknown, secret: string | undefined = BOUNCE_SECRET) =>
    request(url, 'POST /api/mail/bounces', {
      body,
      headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
    });

  test('for good is recorded with its reason, its address is marked, and later mails are tried all the same', async () => {
    const { order, orderId, messageId } = await desk.paid();
    for (let time = 0; time < 2; time++) {
      expect((await tell({ messageId, reason: 'mailbox unknown', permanent: true })).status).toBe(204);
    }
    const [mail] = await desk.mailsOf(orderId);
    expect(mail).toMatchObject({ state: 'bounced', error: 'mailbox unknown', addressFailedAt: expect.any(String) });
    await service.publish('order.completed', order.step());
    await service.someMailsTo(order.email, 2);
  });

  test('for now marks no address', async () => {
    const { orderId, messageId } = await desk.paid();
    await tell({ messageId: messageId.slice(1, -1), reason: 'mailbox full', permanent: false });
    const [mail] = await desk.mailsOf(orderId);
    expect(mail).toMatchObject({ state: 'bounced', error: 'mailbox full' });
    expect(mail).not.toHaveProperty('addressFailedAt');
  });

  test('is taken from nobody without the secret', async () => {
    const { orderId, messageId } = await desk.paid();
    const bounce = { messageId, reason: 'x', permanent: true };
    for (const secret of [undefined, '', 'another secret of the right length!!']) {
      const { status } = await request(url, 'POST /api/mail/bounces', {
        body: bounce,
        headers: secret === undefined ? {} : { Authorization: `Bearer ${secret}` },
      });
      expect(status).toBe(401);
    }
    expect((await desk.mailsOf(orderId))[0].state).toBe('sent');
  });

  test('must be one of ours', async () => {
    expect((await tell({ messageId: '<other@example.org>', reason: 'x', permanent: true })).status).toBe(404);
    expect((await tell({ messageId: 'x', permanent: 'yes' })).status).toBe(422);
    expect((await tell({ reason: 'x', permanent: true })).status).toBe(422);
  });

  test('is not asked for where no secret is set', async () => {
    const other = await openHarness({ bounceSecret: undefined });
    try {
      const { url: without } = await other.start();
      const body = { messageId: 'x', reason: 'x', permanent: true };
      const headers = { Authorization: 'Bearer undefined' };
      expect((await request(without, 'POST /api/mail/bounces', { body, headers })).status).toBe(404);
    } finally {
      await other.close();
    }
  });
}); // prettier-ignore
