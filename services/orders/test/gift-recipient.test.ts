import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { listenTo } from '@arboleda/chassis/testing/listen.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { wrongField } from './admin-client.ts';
import { assigned, completed, minute, photo, planted } from './builders.ts';
import { giftTo, growthBought, refunded } from './event-builders.ts';
import {
  orders,
  ALBA,
  given,
  giftOf,
  someEvents,
  tokenOf,
  refusal,
  look,
  change,
  open,
  thank,
  decline,
  account,
  claim,
  erase,
} from './gift-harness.ts';

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

  test('is notified of each change of the trees, by the current link only', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    const listener = await listenTo(orders.service.url, `/api/gifts/${token}/events`);
    await orders.publish(assigned(orderId));
    const seen = await waitFor(async () => listener.received.find(({ status }) => status === 'assigned'));
    expect(Object.keys(seen).sort()).toEqual(['status', 'updatedAt']);
    await listener.leave();
    const params = { token: 'A'.repeat(22) };
    expect(refusal(await orders.call('GET /api/gifts/{token}/events', { params }))).toEqual([
      404,
      'not-found',
    ]);
  });

  test('finds nothing by a guess, by the order’s own link or by its id', async () => {
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
    expect(await someEvents('gift.claimed', orderId)).toEqual([
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
    expect(await someEvents('gift.claimed', orderId)).toHaveLength(1);
  });

  test('thanks the buyer once', async () => {
    const data = await given();
    const token = await tokenOf(data.orderId);
    expect(wrongField(await thank(token, 'See www.evil.test')).errors).toEqual(['text: no-links']);
    expect((await thank(token)).body.gift.thankedAt).toEqual(expect.any(String));
    expect(refusal(await thank(token))).toEqual([409, 'gift-thanked']);
    expect(await someEvents('gift.thanked', data.orderId)).toMatchObject([
      { text: 'Thank you so much!', from: 'Olga Ruiz' },
    ]);
    expect((await look(data)).body.gift.thanks.text).toBe('Thank you so much!');
  });

  test('stops emails for good; the trees stay', async () => {
    const { orderId } = await given();
    const token = await tokenOf(orderId);
    expect((await decline(token)).body).toEqual({ declined: true });
    expect((await decline(token)).body).toEqual({ declined: true });
    expect(await someEvents('gift.declined', orderId)).toHaveLength(1);
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
    expect(await someEvents('gift.cancelled', data.orderId)).toHaveLength(1);
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
    await someEvents('gift.cancelled', second.orderId);
    expect((await orders.order(second.orderId)).customerName).toBe('Alba Díaz');
  });

  test('of an unverified address, or before the gift, changes nothing', async () => {
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
    const events = await someEvents('gift.scheduled', orderId, 2);
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
