import type { Answer } from '@arboleda/chassis/testing/request.ts';
import type { EventData, EventType } from '@arboleda/contracts/events/index.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { listenTo } from '@arboleda/chassis/testing/listen.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { wrongField } from './admin-client.ts';
import { assigned, completed, minute, newOrderId, payment, photo, planted } from './builders.ts';
import {
  approved,
  giftBounced,
  giftDelivered,
  giftTo,
  growthBought,
  refunded,
  refundFailed,
  submitted,
} from './event-builders.ts';
import { openOrders, type OrdersFixture } from './fixture.ts';

let orders: OrdersFixture;
beforeAll(async () => {
  orders = await openOrders();
});
afterAll(() => orders.close());

const ALBA = { email: 'alba@mail.test', name: 'Alba Díaz' };
const TODAY = dayIn(new Date(), 'America/Bogota');
type Data = ReturnType<typeof payment>['data'];

/** A paid gift of Alba's. */
async function given(changes: Partial<Gift> = {}, more: Parameters<typeof payment>[0] = {}): Promise<Data> {
  const { data } = payment({ customer: ALBA, gift: giftTo(changes), ...more });
  await orders.publish({ type: 'payment.succeeded', data });
  await orders.order(data.orderId, ({ gift }) => gift !== undefined);
  return data;
}
/** The gift once `ready` holds, as an admin sees it. */
const giftOf = async (id: string, ready: (gift: AdminGift) => boolean = () => true) =>
  (await orders.order(id, ({ gift }) => gift !== undefined && ready(gift))).gift!;
type AdminGift = NonNullable<Awaited<ReturnType<OrdersFixture['order']>>['gift']>;

const said = <Type extends EventType>(type: Type, orderId: string): EventData<Type>[] =>
  orders.probe
    .all(type)
    .map(({ data }) => data as EventData<Type>)
    .filter((data) => (data as { orderId: string }).orderId === orderId);
/** The events of an order of one type, once there are so many. */
const heard = <Type extends EventType>(type: Type, orderId: string, count = 1) =>
  waitFor(async () => {
    const events = said(type, orderId);
    return events.length >= count && events;
  });
const tokenOf = async (orderId: string, revision = 1): Promise<string> =>
  (await heard('gift.scheduled', orderId, revision)).at(-1)!.token;

const refusal = ({ status, body }: Answer) => [status, body.type];
const byLink =
  (
    key:
      | 'POST /api/track/{token}/gift'
      | 'PUT /api/track/{token}/gift'
      | 'POST /api/track/{token}/gift/send-again'
      | 'POST /api/track/{token}/gift/card',
  ) =>
  ({ orderToken }: { orderToken: string }, body: object = {}) =>
    orders.call(key, { params: { token: orderToken }, body: { email: ALBA.email, ...body } });
const look = byLink('POST /api/track/{token}/gift');
const change = (order: Data, gift: object) => byLink('PUT /api/track/{token}/gift')(order, { gift });
const sendAgain = byLink('POST /api/track/{token}/gift/send-again');
const card = byLink('POST /api/track/{token}/gift/card');
const open = (token: string) => orders.call('GET /api/gifts/{token}', { params: { token } });
const thank = (token: string, text = 'Thank you so much!') =>
  orders.call('POST /api/gifts/{token}/thanks', { params: { token }, body: { text } });
const decline = (token: string) => orders.call('POST /api/gifts/{token}/decline', { params: { token } });

const account = (id: string = randomUUID(), claims: object = {}) =>
  orders.identity.token({
    role: 'customer',
    id,
    name: 'Olga Ruiz',
    email: `${id}@mail.test`,
    emailVerified: true,
    ...claims,
  });
const claim = (token: string, person: string) =>
  orders.call('POST /api/gifts/{token}/claim', { params: { token }, token: person });
const erase = (accountId: string, email: string, changes: object = {}) =>
  orders.publish({
    type: 'customer.erased',
    data: { accountId, email, ordersToo: true, at: new Date().toISOString(), ...changes },
  });

describe('a paid gift', () => {
  test('is announced with its message, its moment and a link of its own', async () => {
    const data = await given();
    const [event] = await heard('gift.scheduled', data.orderId);
    const { deliverOn, timeZone: _zone, ...content } = giftTo();
    expect(event).toEqual({
      orderId: data.orderId,
      revision: 1,
      gift: content,
      from: 'Alba Díaz',
      trees: 5,
      token: expect.stringMatching(/^[\w-]{22}$/),
      deliverAt: `${deliverOn}T14:00:00.000Z`,
      addressedAt: data.paidAt,
      at: expect.any(String),
    });
    expect(event!.token).not.toBe(data.orderToken);
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

  test('is not its buyer’s for whoever only knows the link', async () => {
    const data = await given();
    const answer = await look(data, { email: 'bruno@mail.test' });
    expect(wrongField(answer).errors).toEqual(['email: not-the-orders-email']);
  });

  test('is for the buyer’s own address, too', async () => {
    const data = await given({ recipientEmail: ALBA.email });
    expect((await heard('gift.scheduled', data.orderId))[0]!.gift.recipientEmail).toBe(ALBA.email);
  });

  test('is sent at once when its morning has passed', async () => {
    const { orderId } = await given({ deliverOn: daysLater(TODAY, -3) });
    const [event] = await heard('gift.scheduled', orderId);
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

  test('says who sent it anew when an admin corrects the name', async () => {
    const { orderId } = await given();
    await orders.call('PUT /api/admin/orders/{id}', {
      params: { id: orderId },
      token: orders.adminToken,
      body: { customerName: 'Alba Díaz Mora' },
    });
    const events = await heard('gift.scheduled', orderId, 2);
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
    expect(said('gift.scheduled', data.orderId)).toEqual([]);
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
    expect(said('gift.scheduled', orderId)).toEqual([]);
    await orders.publish(approved(orderId, { customer: ALBA }));
    const [event] = await heard('gift.scheduled', orderId);
    expect(event!.deliverAt).toBe(event!.at);
    expect(await open(event!.token)).toMatchObject({ status: 200, body: { recipientName: 'Olga Ruiz' } });
  });

  test('that is not approved says so to whoever has the link, and is nobody’s to claim', async () => {
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
    const event = (await heard('gift.scheduled', data.orderId, 2)).at(-1)!;
    expect(event).toMatchObject({ revision: 2, gift: { recipientEmail: 'olivia@mail.test' } });
    expect(event.deliverAt.slice(0, 10)).toBe(gift.deliverOn);
    expect(refusal(await open(before))).toEqual([404, 'not-found']);
    expect((await open(event.token)).status).toBe(200);
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

describe('a delivered gift', () => {
  const delivered = async (changes: Partial<Gift> = {}) => {
    const data = await given(changes);
    const token = await tokenOf(data.orderId);
    await orders.publish(giftDelivered(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'sent');
    return { ...data, token };
  };

  test('can no longer be changed', async () => {
    const data = await delivered();
    expect(refusal(await change(data, giftTo({ message: 'Too late' })))).toEqual([409, 'gift-sent']);
  });

  test('is sent again once a day', async () => {
    const data = await delivered();
    const { status, body } = await sendAgain(data);
    expect([status, body.gift.state]).toEqual([200, 'sent']);
    const event = (await heard('gift.scheduled', data.orderId, 2)).at(-1)!;
    expect(event).toMatchObject({ revision: 2, again: true, token: data.token });
    expect(refusal(await sendAgain(data))).toEqual([409, 'gift-sent-today']);
  });

  test('is not sent again before it was sent, nor when the buyer hands it over', async () => {
    expect(refusal(await sendAgain(await given()))).toEqual([409, 'gift-not-sent']);
    expect(refusal(await sendAgain(await delivered({ recipientEmail: null })))).toEqual([
      409,
      'gift-not-sent',
    ]);
  });

  test('that was on its way when its day changed counts as sent', async () => {
    const data = await given();
    await tokenOf(data.orderId);
    await change(data, giftTo({ deliverOn: daysLater(TODAY, 40) }));
    await orders.publish(giftDelivered(data.orderId, 1));
    await giftOf(data.orderId, ({ state }) => state === 'sent');
    expect(refusal(await change(data, giftTo()))).toEqual([409, 'gift-sent']);
  });

  test('that went to a former address does not count', async () => {
    const data = await given();
    await change(data, giftTo({ recipientEmail: 'corrected@mail.test' }));
    await orders.publish(giftDelivered(data.orderId, 1), giftDelivered(data.orderId, 2, minute(99)));
    const gift = await giftOf(data.orderId, ({ state }) => state === 'sent');
    expect(gift.sentAt).toBe(minute(99));
  });

  test('may bounce afterwards, and goes to the corrected address by a new link', async () => {
    const data = await delivered({ deliverOn: daysLater(TODAY, -2) });
    await orders.publish(giftBounced(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'bounced');
    const corrected = giftTo({ deliverOn: daysLater(TODAY, -2), recipientEmail: 'right@mail.test' });
    expect((await change(data, corrected)).body.gift.state).toBe('waiting');
    const event = (await heard('gift.scheduled', data.orderId, 2)).at(-1)!;
    expect([event.gift.recipientEmail, event.deliverAt]).toEqual(['right@mail.test', event.at]);
    expect(refusal(await open(data.token))).toEqual([404, 'not-found']);
    // A late bounce of the old address.
    await orders.publish(giftBounced(data.orderId, 1), giftDelivered(data.orderId, 2, minute(99)));
    expect((await giftOf(data.orderId, ({ sentAt }) => sentAt === minute(99))).state).toBe('sent');
  });

  test('stays bounced when the events come in the wrong order', async () => {
    const { orderId } = await given();
    await orders.publish(giftBounced(orderId, 1, 'refused'));
    await giftOf(orderId, ({ state }) => state === 'refused');
    await orders.publish(giftDelivered(orderId), refunded(orderId, { amountMinor: 1, isFull: false }));
    await orders.order(orderId, ({ refunds }) => refunds.length === 1);
    expect((await giftOf(orderId)).state).toBe('refused');
  });
});

describe('a full refund', () => {
  test('before the day cancels the gift; when it fails, the gift goes after all', async () => {
    const data = await given();
    const token = await tokenOf(data.orderId);
    await orders.publish(refunded(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'cancelled');
    expect(await heard('gift.cancelled', data.orderId)).toMatchObject([{ revision: 2 }]);
    for (const answer of [await open(token), await thank(token), await claim(token, await account())])
      expect(refusal(answer)).toEqual([410, 'gift-cancelled']);
    expect(refusal(await change(data, giftTo({ message: 'x' })))).toEqual([410, 'gift-cancelled']);
    await orders.publish(refundFailed(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'waiting');
    expect((await heard('gift.scheduled', data.orderId, 2)).at(-1)).toMatchObject({ revision: 3, token });
  });

  test('after the day leaves the gift, and its page says what is true', async () => {
    const data = await given();
    const token = await tokenOf(data.orderId);
    await orders.publish(giftDelivered(data.orderId));
    await giftOf(data.orderId, ({ state }) => state === 'sent');
    await orders.publish(refunded(data.orderId));
    await orders.order(data.orderId, ({ withdrawn }) => withdrawn === true);
    expect((await open(token)).body).toMatchObject({ refunded: true, withdrawn: true });
    expect(said('gift.cancelled', data.orderId)).toEqual([]);
  });
});

describe('the recipient', () => {
  test('sees message, card and the trees’ history, and no amounts, addresses or names of the buyer', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    await orders.publish(
      assigned(orderId),
      planted(orderId),
      completed(orderId),
      photo(orderId),
      growthBought(orderId),
      refunded(orderId, { amountMinor: 1000, isFull: false }),
    );
    await orders.order(orderId, (order) => order.refunds.length === 1 && order.growth?.length === 1);
    await orders.order(orderId, ({ status, photos }) => status === 'completed' && photos.length === 1);
    const { status, headers, body } = await open(token);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({
      token,
      from: 'Alba',
      recipientName: 'Olga Ruiz',
      message: 'For your birthday.',
      card: 'valley',
      trees: 5,
      status: 'completed',
      assignedWorker: { name: 'Ana Ruiz' },
      growth: [{ photoPackageType: 'first_year' }],
    });
    expect(body.timeline.map(({ type }: { type: string }) => type)).toEqual([
      'created',
      'status_changed',
      'status_changed',
      'photo',
      'status_changed',
    ]);
    expect(JSON.stringify(body)).not.toMatch(/amount|currency|@|Díaz|8230000|receipt|transaction|"_id"/i);
  });

  test('hears of each change of the trees, by the current link only', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    const listener = await listenTo(orders.service.url, `/api/gifts/${token}/events`);
    await orders.publish(assigned(orderId));
    const heardOf = await waitFor(async () => listener.heard.find(({ status }) => status === 'assigned'));
    expect(Object.keys(heardOf).sort()).toEqual(['status', 'updatedAt']);
    await listener.leave();
    const params = { token: 'A'.repeat(22) };
    expect(refusal(await orders.call('GET /api/gifts/{token}/events', { params }))).toEqual([
      404,
      'not-found',
    ]);
  });

  test('finds nothing by another’s guess, by the order’s own link or its id', async () => {
    const data = await given();
    for (const token of [data.orderToken, 'A'.repeat(22), data.orderId])
      expect((await open(token)).status).toBe(404);
  });

  test('takes the gift into an account with a verified address, once', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    expect(refusal(await claim(token, await account('x', { emailVerified: false })))).toEqual([
      403,
      'email-not-verified',
    ]);
    const id = randomUUID();
    const olga = await account(id);
    const { status, body } = await claim(token, olga);
    expect([status, body.gift]).toEqual([200, expect.objectContaining({ _id: orderId, trees: 5 })]);
    expect((await claim(token, olga)).body).toEqual(body);
    expect(refusal(await claim(token, await account()))).toEqual([409, 'gift-claimed']);
    expect(await heard('gift.claimed', orderId)).toEqual([
      {
        orderId,
        accountId: id,
        name: 'Olga Ruiz',
        email: `${id}@mail.test`,
        language: 'en',
        at: body.gift.claimedAt,
      },
    ]);
    const list = await orders.call('GET /api/customers/gifts', { token: olga });
    expect(list.body.gifts).toEqual([body.gift]);
    const mine = await orders.call('GET /api/customers/orders', { token: olga });
    expect(mine.body.orders).toEqual([]);
    const { body: kept } = await orders.call('GET /api/customers/orders/export', { token: olga });
    expect(kept).toMatchObject({ orders: [], gifts: [{ _id: orderId, recipientName: 'Olga Ruiz' }] });
  });

  test('is the only one, even when twenty claim at once', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    const people = await Promise.all(Array.from({ length: 20 }, () => account()));
    const answers = await Promise.all(people.map((person) => claim(token, person)));
    expect(answers.map(refusal).sort()).toEqual([
      [200, undefined],
      ...Array.from({ length: 19 }, () => [409, 'gift-claimed']),
    ]);
    expect(await heard('gift.claimed', orderId)).toHaveLength(1);
  });

  test('thanks the buyer once', async () => {
    const data = await given();
    const token = await tokenOf(data.orderId);
    expect(wrongField(await thank(token, 'See www.evil.test')).errors).toEqual(['text: no-links']);
    expect((await thank(token)).body.gift.thankedAt).toEqual(expect.any(String));
    expect(refusal(await thank(token))).toEqual([409, 'gift-thanked']);
    expect(await heard('gift.thanked', data.orderId)).toMatchObject([
      { text: 'Thank you so much!', from: 'Olga Ruiz' },
    ]);
    expect((await look(data)).body.gift.thanks.text).toBe('Thank you so much!');
  });

  test('stops emails for good; the trees stay', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    expect((await decline(token)).body).toEqual({ declined: true });
    expect((await decline(token)).body).toEqual({ declined: true });
    expect(await heard('gift.declined', orderId)).toHaveLength(1);
    expect((await open(token)).status).toBe(200);
  });
});

describe('erasure', () => {
  test('of the account that has a gift removes the recipient; trees and buyer stay', async () => {
    const data = await given();
    const token = await tokenOf(data.orderId);
    const id = randomUUID();
    await claim(token, await account(id));
    await thank(token);
    await erase(id, `${id}@mail.test`, { ordersToo: false });
    const gift = await giftOf(data.orderId, ({ erased }) => erased === true);
    expect(gift).toMatchObject({
      recipientName: ERASED_CUSTOMER.name,
      recipientEmail: null,
      message: '',
      state: 'cancelled',
    });
    expect(await heard('gift.cancelled', data.orderId)).toHaveLength(1);
    expect(refusal(await open(token))).toEqual([410, 'gift-erased']);
    expect(refusal(await change(data, giftTo()))).toEqual([410, 'gift-erased']);
    const order = await orders.order(data.orderId);
    expect([order.customerName, order.trees, order.withdrawn]).toEqual(['Alba Díaz', 5, undefined]);
    expect(JSON.stringify(order)).not.toMatch(/Olga|olga@|birthday|Thank you/);
  });

  test('of the address that a gift is for removes it, also when the purchase arrives later', async () => {
    const email = `${randomUUID()}@mail.test`;
    const first = await given({ recipientEmail: email });
    await tokenOf(first.orderId);
    await erase(randomUUID(), email);
    await giftOf(first.orderId, ({ erased }) => erased === true);
    const second = await given({ recipientEmail: email });
    await giftOf(second.orderId, ({ erased }) => erased === true);
    await heard('gift.cancelled', second.orderId);
    expect((await orders.order(second.orderId)).customerName).toBe('Alba Díaz');
  });

  test('of an address that nobody verified, or before the gift, changes nothing', async () => {
    const email = `${randomUUID()}@mail.test`;
    const { orderId } = await given({ recipientEmail: email });
    await erase(randomUUID(), email, { ordersToo: false });
    await erase(randomUUID(), email, { at: minute(-1000) });
    const id = randomUUID();
    const other = await given();
    await claim(await tokenOf(other.orderId), await account(id));
    await erase(id, `${id}@mail.test`);
    await giftOf(other.orderId, ({ erased }) => erased === true);
    expect((await giftOf(orderId)).recipientEmail).toBe(email);
  });

  test('of the address leaves the gift of another account that took it', async () => {
    const email = `${randomUUID()}@mail.test`;
    const { orderId } = await given({ recipientEmail: email });
    const token = await tokenOf(orderId);
    const person = await account();
    await claim(token, person);
    await erase(randomUUID(), email);
    await giftOf(orderId, ({ recipientName }) => recipientName === ERASED_CUSTOMER.name);
    const { body } = await orders.call('GET /api/customers/gifts', { token: person });
    expect(body.gifts).toMatchObject([{ message: 'For your birthday.', from: 'Alba' }]);
  });

  test('of the buyer leaves the recipient’s trees and page, without the buyer’s name', async () => {
    const email = `${randomUUID()}@mail.test`;
    const { orderId } = await given({}, { customer: { email, name: 'Bruno Gil' } });
    const token = await tokenOf(orderId);
    await erase(randomUUID(), email);
    const events = await heard('gift.scheduled', orderId, 2);
    expect(events.at(-1)).not.toHaveProperty('from');
    const { body } = await open(token);
    expect(body).toMatchObject({ message: 'For your birthday.', trees: 5 });
    expect(JSON.stringify(body)).not.toMatch(/Bruno|from/);
  });
});

describe('the certificate of planted trees', () => {
  const certify = (id: string, token: string, name: string | null) =>
    orders.call('POST /api/customers/orders/{id}/certificate', {
      params: { id },
      body: { name, language: 'es' },
      token,
    });

  test('is for the account that has the gift, whose name goes when it is erased', async () => {
    const { orderId } = await given();
    const id = randomUUID();
    const olga = await account(id);
    await orders.publish(assigned(orderId), planted(orderId));
    await orders.order(orderId, ({ status }) => status === 'planted');
    expect(refusal(await certify(orderId, olga, 'Olga Ruiz'))).toEqual([404, 'not-found']);
    const gift = await claim(await tokenOf(orderId), olga);
    expect(gift.body.gift._id).toBe(orderId);
    const { status, body } = await certify(orderId, olga, 'Olga Ruiz');
    expect([status, body.certificate]).toMatchObject([200, { name: 'Olga Ruiz', version: 1 }]);
    expect(refusal(await certify(orderId, await account(), 'Iris'))).toEqual([404, 'not-found']);
    await erase(id, `${id}@mail.test`);
    const { certificate } = await orders.order(orderId, (order) => order.certificate?.version === 2);
    expect(certificate).toMatchObject({ name: null, state: 'valid' });
  });

  test('keeps the name that the buyer chose when the recipient is erased', async () => {
    const { orderId } = await given();
    const id = randomUUID();
    await claim(await tokenOf(orderId), await account(id));
    await orders.publish(assigned(orderId), planted(orderId));
    await orders.order(orderId, ({ status }) => status === 'planted');
    const alba = await account(randomUUID(), { email: ALBA.email, name: ALBA.name });
    await certify(orderId, alba, 'Familia Díaz');
    await erase(id, `${id}@mail.test`);
    await giftOf(orderId, ({ erased }) => erased === true);
    expect((await orders.order(orderId)).certificate).toMatchObject({ name: 'Familia Díaz', version: 1 });
  });

  test('can still be had when the buyer was erased', async () => {
    const email = `${randomUUID()}@mail.test`;
    const { orderId } = await given({}, { customer: { email, name: 'Bruno Gil' } });
    const olga = await account();
    await claim(await tokenOf(orderId), olga);
    await orders.publish(assigned(orderId), planted(orderId));
    await erase(randomUUID(), email);
    await orders.order(
      orderId,
      ({ status, customerName }) => status === 'planted' && customerName === ERASED_CUSTOMER.name,
    );
    expect((await certify(orderId, olga, null)).status).toBe(200);
  });
});

describe('an admin', () => {
  test('finds gifts by their state', async () => {
    const [waiting, sent, bounced, claimed] = [await given(), await given(), await given(), await given()];
    const { data: none } = payment({ customer: ALBA });
    await orders.publish(
      { type: 'payment.succeeded', data: none },
      giftDelivered(sent.orderId),
      giftBounced(bounced.orderId),
    );
    await giftOf(sent.orderId, ({ state }) => state === 'sent');
    await giftOf(bounced.orderId, ({ state }) => state === 'bounced');
    await claim(await tokenOf(claimed.orderId), await account());
    const ids = [waiting, sent, bounced, claimed, none].map(({ orderId }) => orderId);
    const found = async (gift: string) => {
      const query = { gift, ids: ids.join(',') };
      const { body } = await orders.call('GET /api/admin/orders/manage', { query, token: orders.adminToken });
      expect(body.counts.all).toBe(body.orders.length);
      return ids.map((id) => body.orders.some(({ _id }: { _id: string }) => _id === id));
    };
    expect(await found('any')).toEqual([true, true, true, true, false]);
    expect(await found('waiting')).toEqual([true, false, false, true, false]);
    expect(await found('sent')).toEqual([false, true, false, false, false]);
    expect(await found('bounced')).toEqual([false, false, true, false, false]);
    expect(await found('claimed')).toEqual([false, false, false, true, false]);
  });

  test('reads what became of a gift in the history', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    await orders.publish(giftDelivered(orderId, 1, new Date().toISOString()));
    await giftOf(orderId, ({ state }) => state === 'sent');
    await claim(token, await account());
    await thank(token);
    const { timeline } = await orders.order(orderId);
    expect(timeline.map(({ type }) => type)).toEqual([
      'paid',
      'created',
      'gift_sent',
      'gift_claimed',
      'gift_thanked',
    ]);
  });
});
