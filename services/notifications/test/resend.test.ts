import { request } from '@arboleda/chassis/testing/request.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newEmail, someOrder } from './builders.ts';
import { openDesk } from './desk.ts';
import { openHarness } from './harness.ts';

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

describe('a customer', () => {
  const again = async (id: string, person: { email?: string; emailVerified?: boolean }, key?: string) =>
    request(url, 'POST /api/customers/orders/{id}/resend-mail', {
      params: { id },
      token: await service.identity.token({ role: 'customer', ...person }),
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });

  test('gets the receipt of their order again, at most three times an hour', async () => {
    const { order, orderId } = await desk.paid();
    await service.publish('order.assigned', order.step());
    await service.someMailsTo(order.email, 2);
    for (let count = 3; count <= 5; count++) {
      await service.allSent();
      const answer = await again(orderId, { email: order.email.toUpperCase() });
      expect([answer.status, answer.body]).toEqual([202, {}]);
      const mails = await service.someMailsTo(order.email, count);
      expect(mails.filter(({ subject }) => subject.startsWith('Receipt'))).toHaveLength(count - 1);
    }
    await service.allSent();
    const refusal = await again(orderId, { email: order.email });
    expect([refusal.status, refusal.body.type]).toEqual([429, 'too-many-requests']);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(3000);
    await service.settle();
    expect(await service.mailsTo(order.email)).toHaveLength(5);
    // An admin is not held up by it.
    const { id } = (await desk.mailsOf(orderId)).find(({ kind }: { kind: string }) => kind === 'receipt');
    expect((await desk.asAdmin('POST /api/admin/mails/{id}/resend', { params: { id } })).status).toBe(202);
  });

  test('of a transfer gets what was said last about the money', async () => {
    const order = someOrder({ language: 'en', paymentMethod: 'manual_bancolombia' });
    const { orderId } = order.created;
    await service.publish('payment.submitted', order.submitted);
    await service.someMailsTo(order.email);
    await service.publish('order.created', order.created);
    await service.someMailsTo(order.email, 2);
    await service.allSent();
    await again(orderId, { email: order.email });
    const mails = await service.someMailsTo(order.email, 3);
    expect(mails.map(({ subject }) => subject.split(/[:·]/)[0]!.trim()).sort()).toEqual([
      'Transfer approved',
      'Transfer approved',
      'We have your transfer',
    ]);
  });

  test('repeats a request without getting another mail', async () => {
    const { order, orderId } = await desk.paid();
    for (let time = 0; time < 5; time++) {
      expect((await again(orderId, { email: order.email }, 'the-same-key')).status).toBe(202);
      await service.allSent();
    }
    await service.settle();
    expect(await service.mailsTo(order.email)).toHaveLength(2);
  });

  test('is answered alike for another’s order and for none, and before their address is verified', async () => {
    const { order, orderId } = await desk.paid();
    const answers = await Promise.all([
      again(orderId, { email: newEmail() }),
      again('f'.repeat(24), { email: order.email }),
      again('no-id', { email: order.email }),
      again(orderId, { email: order.email, emailVerified: false }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    await service.settle();
    expect(await service.mailsTo(order.email)).toHaveLength(1);
  });

  test('alone may ask for it', async () => {
    const { orderId } = await desk.paid();
    const key = 'POST /api/customers/orders/{id}/resend-mail';
    expect((await request(url, key, { params: { id: orderId } })).status).toBe(401);
    expect((await request(url, key, { params: { id: orderId }, token: desk.token })).status).toBe(403);
  });
});
