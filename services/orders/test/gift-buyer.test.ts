import { daysLater } from '@arboleda/contracts/time-zone.ts';
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { wrongField } from './admin-client.ts';
import { newOrderId, payment } from './builders.ts';
import { approved, giftDelivered, giftTo, submitted } from './event-builders.ts';
import {
  orders,
  ALBA,
  TODAY,
  given,
  giftOf,
  eventsSoFar,
  someEvents,
  tokenOf,
  refusal,
  look,
  change,
  card,
  open,
  account,
} from './gift-harness.ts';

describe('a paid gift', () => {
  test('is announced with its message, its moment and a link of its own', async () => {
    const data = await given();
    const [event] = await someEvents('gift.scheduled', data.orderId);
    const { deliverOn, timeZone: _zone, ...content } = giftTo();
    expect(event).toEqual({
      orderId: data.orderId,
      revision: 1,
      gift: content,
      from: 'Alba Díaz',
      trees: 5,
      link: 1,
      deliverAt: `${deliverOn}T14:00:00.000Z`,
      addressedAt: data.paidAt,
      at: expect.any(String),
    });
    expect(JSON.stringify(event)).not.toContain(await tokenOf(data.orderId));
  });

  test('is shown to its buyer in full, and by the shared link without address and message', async () => {
    const data = await given();
    const { status, body } = await look(data);
    expect(status).toBe(200);
    expect(body.gift).toMatchObject({ ...giftTo(), state: 'waiting', byHand: false });
    expect(body.gift).not.toHaveProperty('path');
    const shared = await orders.call('GET /api/track/{token}', { params: { token: data.orderToken } });
    expect(shared.body.gift).toMatchObject({ state: 'waiting', recipientName: 'Olga', byHand: false });
    expect(JSON.stringify(shared.body)).not.toMatch(/olga@|Ruiz|birthday/);
  });

  test('is not shown to a visitor who only knows the link', async () => {
    const data = await given();
    const answer = await look(data, { email: 'bruno@mail.test' });
    expect(wrongField(answer).errors).toEqual(['email: not-the-orders-email']);
  });

  test('is for the buyer’s own address, too', async () => {
    const data = await given({ recipientEmail: ALBA.email });
    expect((await someEvents('gift.scheduled', data.orderId))[0]!.gift.recipientEmail).toBe(ALBA.email);
  });

  test('is sent at once when its morning has passed', async () => {
    const { orderId } = await given({ deliverOn: daysLater(TODAY, -3) });
    const [event] = await someEvents('gift.scheduled', orderId);
    expect(Math.abs(Date.parse(event!.deliverAt) - Date.parse(event!.at))).toBeLessThan(1000);
  });

  test('to hand over leads to the page by a path and a card', async () => {
    const data = await given({ recipientEmail: null });
    const { path } = (await look(data)).body.gift;
    expect(path).toBe(`/g/${await tokenOf(data.orderId)}`);
    const { status, headers, body } = await card(data);
    expect([status, headers.get('content-type'), body.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    expect((await giftOf(data.orderId)).path).toBeUndefined();
  });

  test('is announced again when an admin corrects the name of its buyer', async () => {
    const { orderId } = await given();
    await orders.call('PUT /api/admin/orders/{id}', {
      params: { id: orderId },
      token: orders.adminToken,
      body: { customerName: 'Alba Díaz Mora' },
    });
    const events = await someEvents('gift.scheduled', orderId, 2);
    expect(events.map(({ revision, from }) => [revision, from])).toEqual([
      [1, 'Alba Díaz'],
      [2, 'Alba Díaz Mora'],
    ]);
  });
});

describe('a purchase that is no gift', () => {
  test('leaves no trace of gifts in views and events', async () => {
    const { data } = payment({ customer: ALBA });
    await orders.publish({ type: 'payment.succeeded', data });
    expect(await orders.order(data.orderId)).not.toHaveProperty('gift');
    expect(refusal(await look(data))).toEqual([404, 'not-found']);
    expect(eventsSoFar('gift.scheduled', data.orderId)).toEqual([]);
  });
});

describe('a transfer', () => {
  test('keeps its gift until it is approved, and then sends it at once when its day has passed', async () => {
    const orderId = newOrderId();
    const bought = submitted(orderId, {
      customer: ALBA,
      gift: giftTo({ deliverOn: daysLater(TODAY, -1) }),
    });
    await orders.publish(bought);
    await giftOf(orderId, ({ state }) => state === 'waiting');
    expect((await look(bought.data)).body.gift.state).toBe('waiting');
    expect(eventsSoFar('gift.scheduled', orderId)).toEqual([]);
    await orders.publish(approved(orderId, { customer: ALBA }));
    const [event] = await someEvents('gift.scheduled', orderId);
    expect(event!.deliverAt).toBe(event!.at);
    expect(await open(await tokenOf(orderId))).toMatchObject({
      status: 200,
      body: { recipientName: 'Olga Ruiz' },
    });
  });

  test('that is not approved gives its buyer neither link nor card', async () => {
    const orderId = newOrderId();
    const bought = submitted(orderId, { customer: ALBA, gift: giftTo({ recipientEmail: null }) });
    await orders.publish(bought);
    await giftOf(orderId);
    const { body } = await look(bought.data);
    expect(body.gift).not.toHaveProperty('path');
    expect(refusal(await card(bought.data))).toEqual([409, 'order-unpaid']);
  });
});

describe('until it is sent', () => {
  test('a buyer changes everything, and only the new link leads to it', async () => {
    const data = await given();
    const before = await tokenOf(data.orderId);
    const gift = giftTo({
      recipientName: 'Olivia',
      recipientEmail: 'olivia@mail.test',
      message: 'Another',
      language: 'es',
      card: 'night',
      deliverOn: daysLater(TODAY, 30),
      timeZone: 'Europe/Madrid',
    });
    const { status, body } = await change(data, gift);
    expect([status, body.gift]).toEqual([200, expect.objectContaining(gift)]);
    const event = (await someEvents('gift.scheduled', data.orderId, 2)).at(-1)!;
    expect(event).toMatchObject({ revision: 2, gift: { recipientEmail: 'olivia@mail.test' } });
    expect(event.deliverAt.slice(0, 10)).toBe(gift.deliverOn);
    expect(refusal(await open(before))).toEqual([404, 'not-found']);
    expect((await open(await tokenOf(data.orderId, 2))).status).toBe(200);
  });

  test('the same gift changes nothing', async () => {
    const data = await given();
    const before = await orders.order(data.orderId);
    expect((await change(data, giftTo())).status).toBe(200);
    expect(await orders.order(data.orderId)).toEqual(before);
  });

  test.each([
    ['yesterday', { deliverOn: daysLater(TODAY, -1) }, 'gift.deliverOn: gift-day-past'],
    ['366 days ahead', { deliverOn: daysLater(TODAY, 366) }, 'gift.deliverOn: gift-day-too-far'],
    ['a link', { message: 'Look: www.evil.test' }, 'gift.message: no-links'],
    ['a control character', { recipientName: 'Ol\u0007ga' }, 'gift.recipientName: invalid'],
    ['only invisible characters', { recipientName: '\u200b\u2060' }, 'gift.recipientName: required'],
    ['a time zone that does not exist', { timeZone: 'Mars/Base' }, 'gift.timeZone: invalid'],
  ])('%s is refused, and nothing changes', async (_what, changes, expected) => {
    const data = await given();
    const before = await giftOf(data.orderId);
    const answer = await change(data, { ...giftTo(), ...changes });
    expect(wrongField(answer)).toEqual({ status: 422, type: 'validation-failed', errors: [expected] });
    expect(await giftOf(data.orderId)).toEqual(before);
  });

  test('no address gets more than five gifts on one day', async () => {
    const recipientEmail = `${randomUUID()}@mail.test`;
    for (let n = 0; n < 5; n++) await given({ recipientEmail });
    const data = await given();
    const answer = await change(data, giftTo({ recipientEmail }));
    expect(wrongField(answer)).toEqual({
      status: 422,
      type: 'too-many-gifts',
      errors: ['gift.recipientEmail: too-many-gifts'],
    });
    const another = giftTo({ recipientEmail, deliverOn: daysLater(TODAY, 21) });
    expect((await change(data, another)).status).toBe(200);
  });

  test('no address gets more than five gifts on one day, however many change at once', async () => {
    const recipientEmail = `${randomUUID()}@mail.test`;
    const gifts = await Promise.all(Array.from({ length: 12 }, () => given()));
    const answers = await Promise.all(gifts.map((data) => change(data, giftTo({ recipientEmail }))));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 200),
      ...Array.from({ length: 7 }, () => 422),
    ]);
  });

  test('it is also the buyer’s in the portal, and nobody else’s', async () => {
    const data = await given();
    const own = await account('alba', ALBA);
    const put = async (token: string) =>
      orders.call('PUT /api/customers/orders/{id}/gift', {
        params: { id: data.orderId },
        token,
        body: { gift: giftTo({ message: 'By the portal' }) },
      });
    expect(refusal(await put(await account()))).toEqual([404, 'not-found']);
    expect((await put(own)).body.gift.message).toBe('By the portal');
    const { body } = await orders.call('GET /api/customers/orders', { token: own });
    expect(body.orders.find(({ _id }: { _id: string }) => _id === data.orderId).gift).toMatchObject({
      recipientEmail: 'olga@mail.test',
      message: 'By the portal',
    });
  });
});

describe('in the portal', () => {
  test('a buyer has the card and sends a gift again, and nobody else does', async () => {
    const { orderId } = await given();
    await tokenOf(orderId);
    await orders.publish(giftDelivered(orderId));
    await giftOf(orderId, ({ state }) => state === 'sent');
    const [own, other] = [await account('alba', ALBA), await account()];
    const params = { id: orderId };
    const pdf = (token: string) => orders.call('GET /api/customers/orders/{id}/gift/card', { params, token });
    const again = (token: string) =>
      orders.call('POST /api/customers/orders/{id}/gift/send-again', { params, token });
    expect([refusal(await pdf(other)), refusal(await again(other))]).toEqual([
      [404, 'not-found'],
      [404, 'not-found'],
    ]);
    expect((await pdf(own)).headers.get('content-type')).toBe('application/pdf');
    expect((await again(own)).body.gift.state).toBe('sent');
    expect(refusal(await again(own))).toEqual([409, 'gift-sent-today']);
  });
});
