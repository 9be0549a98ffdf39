import { testOrderToken } from '@arboleda/chassis/testing/config.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
// Loading it here takes none of the time of the first call that needs it.
import '../documents/page.ts';
import { MIGRATIONS } from '../order/store.ts';
import { minute, newOrderId, payment } from './builders.ts';
import { approved, rejected, submitted } from './event-builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

describe('POST /api/track/{token}/receipt', () => {
  const EMAIL = 'alba@mail.test';
  const ALBA = { email: 'Alba@mail.test', name: 'Alba Díaz' };

  async function paid(changes: Parameters<typeof payment>[0] = {}) {
    const { data } = payment({ customer: ALBA, ...changes });
    await orders.publish({ type: 'payment.succeeded', data });
    await orders.order(data.orderId);
    return data;
  }

  const receipt = (
    token: string,
    body: object = { email: EMAIL },
    headers: Record<string, string> = {},
  ): ReturnType<OrdersFixture['call']> =>
    orders.call('POST /api/track/{token}/receipt', { params: { token }, body, headers });
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const wrong = (token: string, address: string) =>
    receipt(token, { email: 'guess@mail.test' }, from(address));

  test('gives the customer’s own PDF for the address, in any case and between blanks', async () => {
    const { orderId, orderToken } = await paid();
    const token = await orders.identity.token({ role: 'customer', email: EMAIL, emailVerified: true });
    const own = await orders.call('GET /api/customers/orders/{id}/receipt', {
      params: { id: orderId },
      token,
    });
    expect(own.status).toBe(200);
    for (const email of [EMAIL, '  ALBA@Mail.Test ']) {
      const { status, headers, body } = await receipt(orderToken, { email });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/pdf');
      expect(headers.get('content-disposition')).toBe(own.headers.get('content-disposition'));
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(body.equals(own.body)).toBe(true);
    }
    const english = await receipt(orderToken, { email: EMAIL, language: 'en' });
    expect(english.headers.get('content-disposition')).toContain('arboleda-receipt-');
  });

  test.each([
    ['en', 'This is not the address that the order was made with.'],
    ['es', 'Este no es el correo con el que se hizo el pedido.'],
  ])('refuses another address in %s, without a hint at the right one', async (language, message) => {
    const { orderToken } = await paid();
    const { status, body } = await receipt(
      orderToken,
      { email: 'guess@mail.test' },
      { 'Accept-Language': language },
    );
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ path: 'email', type: 'not-the-orders-email', message }]);
    expect(JSON.stringify(body)).not.toMatch(/alba/i);
  });

  test.each([
    [{}, 'required'],
    [{ email: 'alba' }, 'invalid-email'],
  ])('refuses %p as no address', async (body, type) => {
    const { orderToken } = await paid();
    const answer = await receipt(orderToken, body);
    expect({ status: answer.status, errors: answer.body.errors }).toMatchObject({
      status: 422,
      errors: [{ path: 'email', type }],
    });
  });

  test('stops a guesser after ten wrong addresses, but neither other networks nor other links', async () => {
    const [one, other] = [await paid(), await paid()];
    const statuses: number[] = [];
    for (let guess = 0; guess < 10; guess++)
      statuses.push((await wrong(one.orderToken, '203.0.113.7')).status);
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 422), 429]);
    const stopped = await receipt(one.orderToken, { email: EMAIL }, from('203.0.113.7'));
    expect({ status: stopped.status, type: stopped.body.type }).toEqual({
      status: 429,
      type: 'too-many-requests',
    });
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await receipt(one.orderToken, { email: EMAIL }, from('203.0.113.99'))).status).toBe(200);
    expect((await receipt(other.orderToken, { email: EMAIL }, from('203.0.113.7'))).status).toBe(200);
  });

  test('counts guesses at one link from many networks together, by hashes', async () => {
    const { orderToken } = await paid();
    const networks = Array.from({ length: 100 }, (_, at) => `198.51.${at}.7`);
    const answers = await Promise.all(networks.map((address) => wrong(orderToken, address)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect((await receipt(orderToken, { email: EMAIL }, from('192.0.2.1'))).status).toBe(429);
    const sql = await orders.platform.sql('orders', MIGRATIONS);
    const { rows } = await sql.query('select key from rate_limits');
    await sql.close();
    expect(rows.length).toBeGreaterThan(100);
    expect(JSON.stringify(rows)).not.toMatch(/198\.51|mail\.test/);
    expect(JSON.stringify(rows)).not.toContain(orderToken);
  });

  test('forgets wrong addresses once the right one was typed', async () => {
    const { orderToken } = await paid();
    for (let round = 0; round < 2; round++) {
      for (let guess = 0; guess < 6; guess++)
        expect((await wrong(orderToken, '203.0.113.8')).status).toBe(422);
      expect((await receipt(orderToken, { email: EMAIL }, from('203.0.113.8'))).status).toBe(200);
    }
  });

  test('exists for a transfer once its money was found', async () => {
    const [found, waiting, refused] = [newOrderId(), newOrderId(), newOrderId()];
    for (const id of [found, waiting, refused]) await orders.publish(submitted(id, { customer: ALBA }));
    await orders.publish(approved(found, { customer: ALBA }), rejected(refused));
    await orders.order(found, ({ manualPayment }) => manualPayment?.verificationStatus === 'approved');
    await orders.order(refused, ({ manualPayment }) => manualPayment?.verificationStatus === 'rejected');
    expect((await receipt(testOrderToken(found))).status).toBe(200);
    for (const id of [waiting, refused]) {
      const { status, body } = await receipt(testOrderToken(id));
      expect({ status, type: body.type }).toEqual({ status: 404, type: 'not-found' });
    }
  });

  test('does not exist for an unknown link', async () => {
    const { status, body } = await receipt(testOrderToken(newOrderId()));
    expect({ status, type: body.type }).toEqual({ status: 404, type: 'not-found' });
  });

  test('is gone with the buyer’s data, whatever is typed', async () => {
    const email = 'leaving@mail.test';
    const { orderId, orderToken } = await paid({ customer: { email, name: 'Lea Luna' } });
    await orders.publish({
      type: 'customer.erased',
      data: { accountId: 'account-lea', email, ordersToo: true, at: minute(500) },
    });
    await orders.order(orderId, ({ customerEmail }) => customerEmail !== email);
    for (const typed of [email, 'erased@arboleda.invalid']) {
      const { status, body } = await receipt(orderToken, { email: typed });
      expect({ status, type: body.type }).toEqual({ status: 410, type: 'receipt-erased' });
    }
  });
});
